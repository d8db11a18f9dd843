//! Input and output of a game in the terminal.

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor};
use std::io::{self, BufRead, IsTerminal, Write};

/// Input.
pub enum Input {
    /// A line without its end.
    Line(String),
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-D, or the end of the file.
    End,
}

/// The terminal.
pub struct Console {
    /// Line editing; only between a person and a terminal.
    editor: Option<Editor<Words, MemHistory>>,
    /// The input is a terminal.
    pub prompts: bool,
    /// The output is a terminal: boards are drawn after each move.
    pub watched: bool,
    /// ANSI escape sequences may be written.
    pub color: bool,
    /// Symbols of chess pieces may be written.
    pub figurines: bool,
}

impl Console {
    /// Detects the abilities of the terminal, and applies the options.
    pub fn new(no_color: bool, ascii: bool) -> Console {
        let (input, output) = (io::stdin().is_terminal(), io::stdout().is_terminal());
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let dumb = set("TERM").is_some_and(|term| term == "dumb");
        // The fonts of Linux's own console have no such symbols.
        let symbols = set("TERM").is_none_or(|term| term != "linux");
        let language = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set).unwrap_or_default();
        let language = language.to_string_lossy().to_lowercase().replace('-', "");
        let config = Config::builder().completion_type(CompletionType::List).build();
        let editor =
            if input && output { Editor::with_history(config, MemHistory::new()).ok() } else { None };
        Console {
            editor,
            prompts: input,
            watched: input || output,
            color: output && !no_color && !dumb && set("NO_COLOR").is_none(),
            figurines: output && !ascii && symbols && language.ends_with("utf8"),
        }
    }

    /// Is this a person at a terminal?
    pub fn interactive(&self) -> bool {
        self.editor.is_some()
    }

    /// The width to which text is broken: the terminal's, but not too wide for reading.
    pub fn width(&self) -> usize {
        let (width, _) = terminal_size::terminal_size_of(io::stdout())
            .map_or((80, 0), |(width, height)| (usize::from(width.0), height.0));
        width.clamp(40, 100)
    }

    /// Writes text.
    pub fn say(&self, text: &str) -> anyhow::Result<()> {
        quintain_io::print(text)
    }

    /// Text in bold, where that is possible.
    pub fn bold(&self, text: &str) -> String {
        self.painted("1", text)
    }

    /// Text in grey, where that is possible.
    pub fn faint(&self, text: &str) -> String {
        self.painted("2", text)
    }

    fn painted(&self, how: &str, text: &str) -> String {
        if self.color { format!("\x1b[{how}m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// Reads a line. `words` are what Tab may complete.
    pub fn read(&mut self, prompt: &str, words: Vec<String>) -> anyhow::Result<Input> {
        let color = self.color;
        let Some(editor) = &mut self.editor else {
            if self.prompts {
                self.say(prompt)?;
            }
            return Ok(read_plainly()?);
        };
        editor.set_helper(Some(Words(words)));
        let styled = if color { format!("\x1b[1m{prompt}\x1b[0m") } else { prompt.to_owned() };
        match editor.readline(&(prompt, styled.as_str())) {
            Ok(line) => {
                // Errors of the history can be ignored.
                let _ = editor.add_history_entry(line.trim());
                Ok(Input::Line(line))
            }
            Err(ReadlineError::Eof) => Ok(Input::End),
            // Invalid UTF-8, which is not a move either.
            Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                Ok(Input::Line(char::REPLACEMENT_CHARACTER.into()))
            }
            Err(ReadlineError::Io(error)) => Err(error.into()),
            Err(_) => Ok(Input::Interrupt),
        }
    }

    /// The line that shows what the engine is thinking; `None` if nobody watches in a terminal.
    pub fn status_line(&self) -> Option<StatusLine> {
        self.interactive().then(|| StatusLine { width: self.width() })
    }
}

/// Shows what the engine is thinking in the line under the cursor.
pub struct StatusLine {
    width: usize,
}

impl StatusLine {
    /// Replaces the line. The cursor stays after the text and the line is never full, so that typed text does not
    /// begin a new line.
    pub fn show(&self, text: &str) {
        const MARGIN: usize = 20;
        let text: String = text.chars().take(self.width - MARGIN).collect();
        let mut out = io::stdout().lock();
        // An error here occurs again, and is handled, when the result is shown.
        let _ = write!(out, "\r{text}\x1b[K").and_then(|()| out.flush());
    }
}

/// A line from standard input, whatever bytes it holds.
fn read_plainly() -> io::Result<Input> {
    let mut bytes = Vec::new();
    match io::stdin().lock().read_until(b'\n', &mut bytes)? {
        0 => Ok(Input::End),
        _ => Ok(Input::Line(String::from_utf8_lossy(&bytes).trim().to_owned())),
    }
}

/// Completes what is typed to one of these: commands, moves, and arguments of commands after their command.
struct Words(Vec<String>);

impl Completer for Words {
    type Candidate = String;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = line[..pos].trim_start();
        // Only the word at the end is completed, so that `moves` does not offer every square at once.
        let before = typed.rfind(' ').map_or(0, |blank| blank + 1);
        let start = pos - typed.len() + before;
        let fits = |word: &&String| word.starts_with(typed) && !word[before..].contains(' ');
        let found = self.0.iter().filter(fits).map(|word| word[before..].to_owned()).collect();
        Ok((start, found))
    }
}

impl Hinter for Words {
    type Hint = String;
}
impl Highlighter for Words {}
impl Validator for Words {}
impl rustyline::Helper for Words {}
