//! Who may ask for what: the tokens of the links, the names that this computer may have in addresses, and the origins of
//! our own pages.

use anyhow::{Result, anyhow};
use axum::http::{HeaderMap, HeaderName, header};
use quintain_board::room::Role;
use serde::{Deserialize, Serialize};
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

/// The secrets in the links.
#[derive(Clone, Serialize, Deserialize)]
pub struct Tokens {
    #[serde(rename = "token")]
    pub owner: String,
    /// Those of White, Black and spectators. Nobody but the owner is admitted without them.
    #[serde(default)]
    pub guests: Option<[String; 3]>,
}

impl Tokens {
    /// New secrets, for the owner alone.
    pub fn for_owner() -> Result<Tokens> {
        Ok(Tokens { owner: secret()?, guests: None })
    }

    /// New secrets for all others.
    pub fn invite(&mut self) -> Result<()> {
        self.guests = Some([secret()?, secret()?, secret()?]);
        Ok(())
    }

    /// Whose token this is.
    pub fn role(&self, token: &str) -> Option<Role> {
        if token == self.owner {
            return Some(Role::Owner);
        }
        let at = self.guests.as_ref()?.iter().position(|guest| guest == token)?;
        Some(Role::GUESTS[at])
    }
}

/// A secret that nobody guesses.
fn secret() -> Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| anyhow!("cannot get random numbers: {error}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A name that this computer has in addresses, as `--host` gives it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Host {
    name: String,
    /// Where visitors find the board, if that is not this program's own port.
    origin: Option<String>,
}

impl FromStr for Host {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Host, String> {
        let whole = text.trim().to_lowercase();
        let origin = whole.trim_end_matches('/');
        let (scheme, rest) = origin.split_once("://").map_or((None, origin), |(a, b)| (Some(a), b));
        let known = matches!(scheme, None | Some("http" | "https"));
        let (name, port) = split(rest).filter(|(name, _)| known && is_name(name)).ok_or_else(|| {
            format!("'{text}' is neither a name, like chess.example.org, nor an address, like https://chess.example.org")
        })?;
        let origin = match (scheme, port) {
            (Some(_), _) => Some(origin.to_owned()),
            (None, Some(_)) => Some(format!("http://{origin}")),
            (None, None) => None,
        };
        Ok(Host { name: name.to_owned(), origin })
    }
}

impl Host {
    /// The first part of links by this name.
    pub fn origin(&self, port: u16) -> String {
        self.origin.clone().unwrap_or_else(|| format!("http://{}:{port}", self.name))
    }
}

fn is_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
    name.chars().all(plain) || number(name).is_some()
}

/// The address that a name is in numbers.
fn number(name: &str) -> Option<IpAddr> {
    name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name).parse().ok()
}

/// A name, or an address in numbers, and the port behind it.
fn split(authority: &str) -> Option<(&str, Option<u16>)> {
    let (name, port) = match authority.rsplit_once(':') {
        // The colons of an IPv6 address are in brackets.
        Some((name, port)) if !port.ends_with(']') => (name, Some(port.parse().ok()?)),
        _ => (authority, None),
    };
    (!name.is_empty()).then_some((name, port))
}

/// The address and the names at which requests are answered.
pub struct Hosts {
    pub address: SocketAddr,
    pub names: Vec<Host>,
}

impl Hosts {
    /// Does a Host header name this computer? An address in numbers, or localhost, with our port; or one of the names, with
    /// any port, for a proxy may be before us. The name of another site that was made to resolve to this computer (DNS
    /// rebinding) is none of these.
    pub fn accept(&self, host: &str) -> bool {
        let Some((name, port)) = split(host) else { return false };
        let is_number = name.eq_ignore_ascii_case("localhost") || number(name).is_some();
        is_number && port.unwrap_or(80) == self.address.port() || self.has_name(host)
    }

    fn has_name(&self, host: &str) -> bool {
        split(host)
            .is_some_and(|(name, _)| self.names.iter().any(|known| known.name.eq_ignore_ascii_case(name)))
    }

    /// Does a request come from one of our own pages? Browsers send cookies to all ports of a host, so the origin must be the
    /// host that was asked. A proxy that asks us by another name passes the name on; no page of another origin can do so
    /// without our consent. Only a proxy serves our pages encrypted.
    pub fn is_own_page(&self, headers: &HeaderMap) -> bool {
        let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        let passed_on = text(HeaderName::from_static("x-forwarded-host"))
            .map(|hosts| hosts.split(',').next().unwrap_or("").trim())
            .filter(|host| self.has_name(host));
        let Some(host) = passed_on.or(text(header::HOST)) else { return false };
        let Some((scheme, origin)) = text(header::ORIGIN).and_then(|origin| origin.split_once("://")) else {
            return false;
        };
        let default = match scheme {
            "http" => 80,
            "https" if self.has_name(host) => 443,
            _ => return false,
        };
        let place = |authority| {
            split(authority).map(|(name, port)| (name.to_ascii_lowercase(), port.unwrap_or(default)))
        };
        place(origin).is_some_and(|origin| Some(origin) == place(host))
    }
}

/// Did the browser speak to a proxy, encrypted?
pub fn is_encrypted(headers: &HeaderMap) -> bool {
    headers.get("x-forwarded-proto").is_some_and(|scheme| scheme.as_bytes().eq_ignore_ascii_case(b"https"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(port: u16, names: &[&str]) -> Hosts {
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        Hosts { address, names: names.iter().map(|name| name.parse().unwrap()).collect() }
    }

    #[test]
    fn numbers_localhost_and_given_names_are_hosts() {
        let plain = hosts(8178, &[]);
        for ours in ["127.0.0.1:8178", "localhost:8178", "LOCALHOST:8178", "[::1]:8178", "192.168.1.2:8178"] {
            assert!(plain.accept(ours), "{ours}");
        }
        for foreign in [
            "evil.test:8178",
            "127.0.0.1",
            "127.0.0.1:81",
            "localhost.evil.test:8178",
            "",
            ":8178",
            "chess.example.org",
            "127.0.0.1:x",
        ] {
            assert!(!plain.accept(foreign), "{foreign}");
        }
        // Browsers leave out the port of HTTP.
        assert!(hosts(80, &[]).accept("192.168.1.2"));
        let named = hosts(8178, &["Chess.example.org", "https://club.example.org", "[2001:db8::1]"]);
        for ours in [
            "chess.example.org",
            "CHESS.example.org:8178",
            "chess.example.org:443",
            "club.example.org",
            "[2001:db8::1]",
            "127.0.0.1:8178",
        ] {
            assert!(named.accept(ours), "{ours}");
        }
        for foreign in
            ["evil.chess.example.org", "example.org", "chess.example.org.evil.test", "127.0.0.1:81"]
        {
            assert!(!named.accept(foreign), "{foreign}");
        }
    }

    #[test]
    fn names_are_checked_and_give_links() {
        let origin = |text: &str| text.parse::<Host>().map(|host| host.origin(8178));
        assert_eq!(origin("club.local"), Ok("http://club.local:8178".into()));
        assert_eq!(origin("Club.local:81"), Ok("http://club.local:81".into()));
        assert_eq!(origin("https://chess.example.org/"), Ok("https://chess.example.org".into()));
        assert_eq!(origin("http://192.168.1.2:81"), Ok("http://192.168.1.2:81".into()));
        for wrong in ["", "a b", "ftp://a", "https://a/b", "a:b", "a:70000", "https://", "*.example.org"] {
            assert!(origin(wrong).is_err_and(|error| error.starts_with(&format!("'{wrong}'"))), "{wrong}");
        }
    }

    #[test]
    fn only_our_own_pages_command() {
        let hosts = hosts(8178, &["chess.example.org"]);
        let own = |headers: &[(&'static str, &str)]| {
            let pairs =
                headers.iter().map(|&(name, value)| (HeaderName::from_static(name), value.parse().unwrap()));
            hosts.is_own_page(&pairs.collect())
        };
        for (host, origin) in [
            ("127.0.0.1:8178", "http://127.0.0.1:8178"),
            ("[::1]:8178", "http://[::1]:8178"),
            ("chess.example.org:8178", "http://chess.example.org:8178"),
            ("chess.example.org", "http://chess.example.org"),
            ("chess.example.org", "https://chess.example.org"),
            ("chess.example.org", "https://Chess.example.org:443"),
            ("chess.example.org:8443", "https://chess.example.org:8443"),
        ] {
            assert!(own(&[("host", host), ("origin", origin)]), "{host} {origin}");
        }
        for (host, origin) in [
            ("127.0.0.1:8178", "http://127.0.0.1:8179"),
            ("127.0.0.1:8178", "https://127.0.0.1:8178"),
            ("127.0.0.1:8178", "null"),
            ("127.0.0.1:8178", "http://evil.test"),
            ("chess.example.org", "https://chess.example.org:8443"),
            ("chess.example.org", "https://evil.test"),
            ("chess.example.org", "chess.example.org"),
        ] {
            assert!(!own(&[("host", host), ("origin", origin)]), "{host} {origin}");
        }
        assert!(!own(&[("host", "127.0.0.1:8178")]));
        // A proxy that asks us by an address of its own.
        let through = |name: &str, origin: &str| {
            own(&[("host", "127.0.0.1:8178"), ("x-forwarded-host", name), ("origin", origin)])
        };
        assert!(through("chess.example.org", "https://chess.example.org"));
        assert!(through("chess.example.org, inner", "https://chess.example.org"));
        assert!(!through("chess.example.org", "https://evil.test"));
        assert!(!through("evil.test", "https://evil.test"));
    }

    #[test]
    fn tokens_tell_who_somebody_is() {
        let mut tokens = Tokens::for_owner().unwrap();
        assert_eq!(tokens.role(&tokens.owner), Some(Role::Owner));
        tokens.invite().unwrap();
        let guests = tokens.guests.clone().unwrap();
        assert_eq!(guests.each_ref().map(|guest| tokens.role(guest)), Role::GUESTS.map(Some));
        assert_eq!((tokens.role(""), tokens.role("0")), (None, None));
        // The file of an older version has one token.
        let old: Tokens = serde_json::from_str(r#"{ "token": "a" }"#).unwrap();
        assert_eq!((old.role("a"), old.role("b")), (Some(Role::Owner), None));
    }
}
