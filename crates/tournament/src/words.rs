//! The syntax of options: `--engine cmd=a tc=10+0.1 --rounds 100`, or the same as TOML. Both become a list of
//! [`Group`]s, so that their meaning is read in one place.

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

/// An option and its words: `openings` and `["file=a.epd", "order=random"]`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Group {
    /// The option's name without dashes.
    pub name: String,
    /// Its values.
    pub words: Vec<String>,
}

impl Group {
    /// A group.
    pub fn new(name: &str, words: &[&str]) -> Group {
        Group { name: name.to_owned(), words: words.iter().map(|&word| word.to_owned()).collect() }
    }

    /// The one word of an option that has one.
    pub fn word(&self) -> Result<&str> {
        match self.words.as_slice() {
            [word] => Ok(word),
            [] => bail!("--{}: the value is missing", self.name),
            [_, more, ..] => bail!("--{}: '{more}' follows the value", self.name),
        }
    }

    /// The one word as a whole number of at least `least`.
    pub fn number(&self, least: u64) -> Result<u64> {
        number(self.word()?, least).with_context(|| format!("--{}", self.name))
    }

    /// The words as pairs of key and value, in order.
    pub fn pairs(&self) -> Result<Vec<(&str, &str)>> {
        self.words
            .iter()
            .map(|word| match word.split_once('=') {
                Some((key, value)) if !key.is_empty() => Ok((key, value)),
                _ => bail!("--{}: '{word}' is not like key=value", self.name),
            })
            .collect()
    }

    /// The error for a key that the option does not have.
    pub fn unknown(&self, key: &str, known: &[&str]) -> anyhow::Error {
        anyhow::anyhow!("--{}: there is no '{key}', but {}", self.name, known.join(", "))
    }
}

/// Reads a whole number of at least `least`.
pub fn number(text: &str, least: u64) -> Result<u64> {
    let number = text.parse::<u64>().ok().filter(|&number| number >= least);
    number.with_context(|| format!("'{text}' is not a whole number from {least}"))
}

/// Reads a finite number.
pub fn real(text: &str) -> Result<f64> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
    number.with_context(|| format!("'{text}' is not a number"))
}

/// Reads `true` or `false`, in the words that people use.
pub fn boolean(text: &str) -> Result<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Ok(true),
        "false" | "no" | "off" | "0" => Ok(false),
        _ => bail!("'{text}' is neither true nor false"),
    }
}

/// Splits a command line at its options. One dash is as good as two: other match runners have one.
pub fn from_command_line(words: &[String]) -> Result<Vec<Group>> {
    let mut groups: Vec<Group> = Vec::new();
    for word in words {
        let name = word.trim_start_matches('-');
        let is_option = word.starts_with('-') && name.starts_with(|c: char| c.is_ascii_alphabetic());
        match groups.last_mut() {
            // `--rounds=10` is as good as `--rounds 10`.
            _ if is_option => groups.push(match name.split_once('=') {
                Some((name, value)) => Group::new(name, &[value]),
                None => Group::new(name, &[]),
            }),
            Some(group) => group.words.push(word.clone()),
            None => bail!("'{word}' does not belong to an option; options begin with --"),
        }
    }
    Ok(groups)
}

/// Reads TOML: a key for each option, a table where there are words with keys, `[[engine]]` for each engine.
pub fn from_toml(text: &str) -> Result<Vec<Group>> {
    let table: toml::Table = text.parse()?;
    let mut groups = Vec::new();
    for (name, value) in &table {
        match value {
            toml::Value::Array(tables) if tables.iter().all(toml::Value::is_table) => {
                for table in tables {
                    groups.push(group(name, table)?);
                }
            }
            _ => groups.push(group(name, value)?),
        }
    }
    Ok(groups)
}

fn group(name: &str, value: &toml::Value) -> Result<Group> {
    let mut group = Group::new(name, &[]);
    match value {
        toml::Value::Table(table) => {
            for (key, value) in table {
                match value {
                    toml::Value::Table(options) => {
                        for (option, value) in options {
                            let value = scalar(value).with_context(|| format!("{name}.{key}.{option}"))?;
                            group.words.push(format!("{key}.{option}={value}"));
                        }
                    }
                    toml::Value::Array(values) => {
                        for value in values {
                            let value = scalar(value).with_context(|| format!("{name}.{key}"))?;
                            group.words.push(format!("{key}={value}"));
                        }
                    }
                    value => {
                        let value = scalar(value).with_context(|| format!("{name}.{key}"))?;
                        group.words.push(format!("{key}={value}"));
                    }
                }
            }
        }
        toml::Value::Boolean(true) => {}
        // A switch that is off is as good as none, except where the option says more than that it is there.
        toml::Value::Boolean(false) => group.words.push("false".into()),
        value => group.words.push(scalar(value).with_context(|| name.to_owned())?),
    }
    Ok(group)
}

fn scalar(value: &toml::Value) -> Result<String> {
    ensure!(!value.is_table() && !value.is_array(), "one value is expected, not a table or a list");
    Ok(match value {
        toml::Value::String(text) => text.clone(),
        value => value.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(line: &str) -> Result<Vec<Group>> {
        from_command_line(&shlex::split(line).unwrap())
    }

    #[test]
    fn one_dash_two_dashes_and_toml_say_the_same() {
        let line = split(
            "-engine cmd=./a 'args=-uci x.txt' option.VariantPath=v.ini option.Hash=16 tc=10+0.1 \
             --engine cmd=b proto=xboard -rounds 100 --repeat --sprt elo0=-1.5 elo1=3 -seed=7",
        );
        let toml = "
            rounds = 100
            repeat = true
            seed = 7
            [[engine]]
            cmd = './a'
            args = '-uci x.txt'
            option = { VariantPath = 'v.ini', Hash = 16 }
            tc = '10+0.1'
            [[engine]]
            cmd = 'b'
            proto = 'xboard'
            [sprt]
            elo0 = -1.5
            elo1 = 3
        ";
        let sorted = |groups: Result<Vec<Group>>| {
            let mut groups = groups.unwrap();
            groups.sort_by(|a, b| a.name.cmp(&b.name));
            groups
        };
        assert_eq!(sorted(split("").map(|_| line.unwrap())), sorted(from_toml(toml)));
    }

    #[test]
    fn values_are_read_and_wrong_ones_named() {
        assert_eq!(Group::new("rounds", &["5"]).number(1).unwrap(), 5);
        let error = |result: Result<u64>| format!("{:#}", result.unwrap_err());
        assert_eq!(error(Group::new("rounds", &[]).number(1)), "--rounds: the value is missing");
        assert_eq!(error(Group::new("rounds", &["5", "6"]).number(1)), "--rounds: '6' follows the value");
        assert_eq!(
            error(Group::new("rounds", &["0"]).number(1)),
            "--rounds: '0' is not a whole number from 1"
        );
        let pairs = Group::new("engine", &["cmd=a=b", "option.x="]);
        assert_eq!(pairs.pairs().unwrap(), [("cmd", "a=b"), ("option.x", "")]);
        let error = Group::new("engine", &["cmd"]).pairs().unwrap_err().to_string();
        assert_eq!(error, "--engine: 'cmd' is not like key=value");
        let error = split("merge --rounds 5").unwrap_err().to_string();
        assert_eq!(error, "'merge' does not belong to an option; options begin with --");
        assert!(from_toml("a = [[1]]").is_err() && from_toml("a =").is_err());
        assert!(boolean("on").unwrap() && !boolean("No").unwrap() && boolean("x").is_err());
        assert!(real("inf").is_err() && real("-1.5").unwrap() == -1.5);
    }
}
