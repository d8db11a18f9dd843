//! Files that a person names, or that an earlier run has left.
//!
//! A path may lead anywhere: to a pipe that nobody writes to, or to a device without end. Whoever waits for such a file
//! is deaf to everything else. What is written is there whole or not at all.

mod write;

pub use write::{append, check, create, is_unfinished, led_to, open_to_append, write, write_private};

use quintain_core::notation::pgn;
use quintain_core::rules::setup::escaped;
use std::fs::{File, Metadata, TryLockError};
use std::io::{self, BufRead, Error, ErrorKind, IsTerminal, Read};
use std::path::{Path, PathBuf};

/// A million bytes, in which limits are given.
pub const MB: u64 = 1_000_000;
/// The most bytes of a network; those of the games have less than 1 MB.
pub const MOST_NETWORK: u64 = 100 * MB;
/// The most bytes of a file of games.
pub const MOST_GAMES: u64 = 1000 * MB;
/// The most bytes of an opening book.
pub const MOST_BOOK: u64 = 100 * MB;

/// The folder in which the program keeps what lasts from one start to the next; `None` if the person has none.
pub fn state_folder() -> Option<PathBuf> {
    Some(dirs::state_dir().or_else(dirs::data_local_dir)?.join("quintain"))
}

/// Locks a file until it is closed; false if another program has locked it. Some network file systems have no locks: there
/// nobody is refused.
pub fn lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Reads a file of at most so many bytes; anything else than a regular file is refused. This is for an engine, for the
/// board, and for all that is read without being asked for. Errors quote the path.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_all(open(path)?, most).map_err(|error| about(path, error))
}

/// Like [`check`], and a file that is there must be of this kind, which `is_one` tells from its text: another one was
/// perhaps named by mistake.
pub fn may_replace(path: &Path, most: u64, kind: &str, is_one: impl FnOnce(&str) -> bool) -> io::Result<()> {
    check(path)?;
    let is_file = std::fs::metadata(path).is_ok_and(|known| known.is_file() && known.len() > 0);
    if is_file && !is_one(&String::from_utf8_lossy(&read(path, most)?)) {
        return Err(io::Error::other(format!("'{}' is no {kind}, and is not overwritten", path.display())));
    }
    Ok(())
}

/// Reads a file that a person named on the command line: also `-` for standard input, and what [`open_stream`] opens.
pub fn read_stream(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let bytes = match path == Path::new("-") {
        true => read_all(io::stdin().lock(), most),
        false => read_all(open_stream(path)?, most),
    };
    bytes.map_err(|error| about(path, error))
}

/// Reads a file of games that a person named on the command line, in the same way.
pub fn read_games(path: &Path) -> io::Result<String> {
    read_stream(path, MOST_GAMES).map(pgn::decode)
}

/// Reads a line of any bytes, without blanks around it: invalid UTF-8 becomes replacement characters. Of a longer line than
/// `longest` bytes only these are kept, and the second value says so. `None` at the end and when reading fails.
pub fn read_line(reader: &mut impl BufRead, longest: usize) -> Option<(String, bool)> {
    let mut bytes = Vec::new();
    if reader.by_ref().take(longest as u64).read_until(b'\n', &mut bytes).ok()? == 0 {
        return None;
    }
    let cut = bytes.len() == longest && bytes.last() != Some(&b'\n');
    if cut {
        reader.skip_until(b'\n').ok()?;
    }
    Some((String::from_utf8_lossy(&bytes).trim().to_owned(), cut))
}

/// Opens a regular file for reading. Errors quote the path.
pub fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    // Opening a pipe would wait for somebody who writes to it.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK | libc::O_NOCTTY);
    let file = options.read(true).open(path).map_err(|error| about(path, error))?;
    must_be_regular(&file, path)?;
    Ok(file)
}

/// Opens a regular file, a pipe or a terminal for reading: a shell gives pipes for `<(command)` and `/dev/stdin`. Only for
/// commands that a person can end if nothing comes. Errors quote the path.
pub fn open_stream(path: &Path) -> io::Result<File> {
    let file = File::open(path).map_err(|error| about(path, error))?;
    let stream = is_stream(&file.metadata().map_err(|error| about(path, error))?) || file.is_terminal();
    if !stream {
        must_be_regular(&file, path)?;
    }
    Ok(file)
}

/// An error unless the open file is a regular one.
pub fn must_be_regular(file: &File, path: &Path) -> io::Result<()> {
    let kind = file.metadata().map_err(|error| about(path, error))?;
    if kind.is_file() { Ok(()) } else { Err(about(path, unsuitable(&kind))) }
}

fn read_all(source: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(Error::new(ErrorKind::FileTooLarge, format!("it has more than {} MB", most / MB)));
    }
    Ok(bytes)
}

/// Adds the path to an error, and keeps its kind.
pub(super) fn about(path: &Path, error: Error) -> Error {
    Error::new(error.kind(), format!("cannot read '{}': {error}", escaped_path(path)))
}

/// A path as messages show it.
pub(super) fn escaped_path(path: &Path) -> String {
    escaped(&path.to_string_lossy())
}

fn unsuitable(kind: &Metadata) -> Error {
    let what = if kind.is_dir() {
        "it is a folder"
    } else if is_stream(kind) {
        "it is a pipe or a socket, not a file"
    } else {
        "it is a device, not a file"
    };
    Error::new(ErrorKind::InvalidInput, what)
}

/// Is it a pipe or a socket?
fn is_stream(kind: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        kind.file_type().is_fifo() || kind.file_type().is_socket()
    }
    #[cfg(not(unix))]
    {
        // Elsewhere a pipe has no name in the file system.
        let _ = kind;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_its_bytes_and_not_more_than_allowed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, vec![7; 2_000_000]).unwrap();
        for read in [read, read_stream] {
            assert_eq!(read(&path, 2 * MB).unwrap().len(), 2_000_000);
            let error = read(&path, MB).unwrap_err();
            let told = format!("cannot read '{}': it has more than 1 MB", path.display());
            assert_eq!((error.kind(), error.to_string()), (ErrorKind::FileTooLarge, told));
            let error = read(&folder.path().join("none"), MB).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::NotFound);
            assert!(error.to_string().starts_with("cannot read '"), "{error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_never_ends_is_refused() {
        use std::process::Command;
        let folder = tempfile::tempdir().unwrap();
        let told = |read: io::Result<Vec<u8>>| read.unwrap_err().to_string();
        for read in [read, read_stream] {
            assert!(told(read(folder.path(), MB)).ends_with("it is a folder"));
            assert_eq!(
                told(read(Path::new("/dev/zero"), MB)),
                "cannot read '/dev/zero': it is a device, not a file"
            );
        }
        let pipe = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert!(told(read(&pipe, MB)).ends_with("it is a pipe or a socket, not a file"));
        // A person may write to it.
        let writer = {
            let pipe = pipe.clone();
            std::thread::spawn(move || std::fs::write(pipe, "1. e4 *"))
        };
        assert_eq!(read_stream(&pipe, MB).unwrap(), b"1. e4 *");
        writer.join().unwrap().unwrap();
    }
}
