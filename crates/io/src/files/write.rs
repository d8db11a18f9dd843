//! Files that are written whole or not at all: on a full disk, or if the program is killed, a file is as it was.

use quintain_core::rules::setup::escaped;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// How the name of an unfinished file ends. Only a killed program leaves one.
const UNFINISHED: &str = ".quintain-new";

/// Links that lead to links, as many as Linux follows.
const MOST_LINKS: usize = 40;

/// Writes a file, or replaces it. Pipes and devices, such as `/dev/stdout`, are written to. Errors quote the path.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace(path, bytes, false).map_err(|error| about(path, error))
}

/// An error if [`write()`] could not write this file, as far as that shows without writing. Pipes and devices are not
/// opened: their reader would see an end. Errors quote the path.
pub fn check(path: &Path) -> io::Result<()> {
    let check = |target: &Path| {
        match fs::metadata(target) {
            Ok(known) if known.is_file() || known.is_dir() => {
                drop(File::options().write(true).open(target)?);
            }
            Ok(_) => return Ok(()),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        Unfinished::beside(target, false).map(drop)
    };
    check(&led_to(path)).map_err(|error| about(path, error))
}

/// Like [`write()`], but only the owner may read the file.
pub fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace(path, bytes, true).map_err(|error| about(path, error))
}

/// Like [`write()`], but what is there already is not replaced: an error of the kind `AlreadyExists`.
pub fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let create = || {
        let new = Unfinished::beside(path, false)?.filled(bytes)?;
        // Unlike a check, an empty file keeps others from taking the name meanwhile.
        let claimed = Unfinished { file: File::create_new(path)?, path: path.to_owned() };
        new.take(path)?;
        claimed.keep();
        Ok(())
    };
    create().map_err(|error| about(path, error))
}

/// Opens a file to add to it; creates it if it is not there. A pipe that nobody reads from is an error. Errors quote the
/// path.
pub fn open_to_append(path: &Path) -> io::Result<File> {
    open_at_once(File::options().create(true).append(true), path).map_err(|error| about(path, error))
}

/// Opens a file for writing, without waiting for somebody who reads from a pipe.
#[cfg(unix)]
fn open_at_once(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let opened = options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(path);
    let file = opened.map_err(|error| match error.raw_os_error() {
        Some(libc::ENXIO) => io::Error::new(error.kind(), "it is a pipe that nobody reads from, or a socket"),
        _ => error,
    })?;
    if file.metadata()?.is_file() {
        return Ok(file);
    }
    // Whoever reads may take time. `file` is still open, so that they do not see an end.
    options.custom_flags(libc::O_NOCTTY).open(path)
}

#[cfg(not(unix))]
fn open_at_once(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    options.open(path)
}

/// Adds bytes to the end of an open file: all, or none of them.
pub fn append(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    let before = file.metadata()?.len();
    let mut written = 0;
    while written < bytes.len() {
        match file.write(&bytes[written..]) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(count) => written += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => {
                // What somebody else has added meanwhile stays. A pipe has no length, and stays as it is.
                if file.metadata()?.len() == before + written as u64 {
                    let _ = file.set_len(before);
                }
                return Err(error);
            }
        }
    }
    Ok(())
}

/// Is this the name of an unfinished file?
pub fn is_unfinished(name: &str) -> bool {
    name.ends_with(UNFINISHED)
}

/// The file that is meant, without links on the way, also if it is not there yet: a link stays, and what it leads to is
/// replaced or made.
pub fn led_to(path: &Path) -> PathBuf {
    if let Ok(found) = fs::canonicalize(path) {
        return found;
    }
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(link) = fs::read_link(&path) else { break };
        path = path.with_file_name("").join(link);
    }
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    match (folder.canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path,
    }
}

fn replace(path: &Path, bytes: &[u8], private: bool) -> io::Result<()> {
    let target = led_to(path);
    // Opened for writing, so that what must not be written is not replaced either.
    let before = match open_at_once(File::options().write(true), &target) {
        Ok(mut file) => {
            let known = file.metadata()?;
            if !known.is_file() {
                return file.write_all(bytes);
            }
            Some(known.permissions())
        }
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let new = Unfinished::beside(&target, private)?;
    if let Some(before) = before.filter(|_| !private) {
        new.file.set_permissions(before)?;
    }
    new.filled(bytes)?.take(&target)
}

/// A file that goes away unless it is kept.
struct Unfinished {
    file: File,
    path: PathBuf,
}

impl Unfinished {
    /// An empty file in the folder of `path`.
    fn beside(path: &Path, private: bool) -> io::Result<Unfinished> {
        let mut options = File::options();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, if private { 0o600 } else { 0o666 });
        #[cfg(not(unix))]
        let _ = private;
        let process = std::process::id();
        for number in 0.. {
            let path = path.with_file_name(format!(".{process}-{number}{UNFINISHED}"));
            match options.open(&path) {
                // Another thread writes too, or a killed process of the same number has left it.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                opened => return Ok(Unfinished { file: opened?, path }),
            }
        }
        unreachable!("no folder has so many files")
    }

    /// With these bytes, on the disk too.
    fn filled(mut self, bytes: &[u8]) -> io::Result<Unfinished> {
        self.file.write_all(bytes)?;
        self.file.sync_all()?;
        Ok(self)
    }

    /// Takes the place of `path`.
    fn take(self, path: &Path) -> io::Result<()> {
        fs::rename(&self.path, path)?;
        self.keep();
        // Where folders can be synced, the new name is on the disk too.
        if let Some(Ok(folder)) = path.parent().map(File::open) {
            let _ = folder.sync_all();
        }
        Ok(())
    }

    fn keep(mut self) {
        self.path = PathBuf::new();
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if self.path != Path::new("") {
            // What cannot be removed stays, and its name says what it is.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Adds the path to an error, and keeps its kind.
fn about(path: &Path, error: io::Error) -> io::Error {
    let path = escaped(&path.to_string_lossy());
    io::Error::new(error.kind(), format!("cannot write '{path}': {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_new_or_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for text in ["one", "two and more", ""] {
            write(&path, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        write_private(&path, b"secret").unwrap();
        let error = create(&path, b"new").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"secret");
        create(&folder.path().join("other"), b"new").unwrap();
        assert_eq!(fs::read(folder.path().join("other")).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["file", "other"]);
    }

    #[test]
    fn errors_quote_the_path_and_leave_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let nowhere = folder.path().join("none").join("file");
        for write in [write, write_private, create] {
            let error = write(&nowhere, b"text").unwrap_err();
            assert_eq!(error.kind(), ErrorKind::NotFound);
            let told = format!("cannot write '{}': ", nowhere.display());
            assert!(error.to_string().starts_with(&told), "{error}");
            assert!(write(folder.path(), b"text").is_err());
        }
        assert_eq!(names(folder.path()), [""; 0]);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::fs::Permissions;
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let [file, link] = ["file", "link"].map(|name| folder.path().join(name));
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        write(&file, b"one").unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        write(&link, b"two").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!((fs::read(&file).unwrap(), mode(&file)), (b"two".to_vec(), 0o640));
        write_private(&file, b"secret").unwrap();
        assert_eq!(mode(&file), 0o600);
        fs::remove_file(&file).unwrap();
        symlink("file", folder.path().join("relative")).unwrap();
        symlink("relative", folder.path().join("twice")).unwrap();
        for link in [&link, &folder.path().join("relative"), &folder.path().join("twice")] {
            write(link, b"again").unwrap();
            assert!(fs::symlink_metadata(link).unwrap().is_symlink());
            assert_eq!(fs::read(&file).unwrap(), b"again");
            fs::remove_file(&file).unwrap();
        }
    }

    #[cfg(unix)]
    #[test]
    fn pipes_are_written_to_if_somebody_reads() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let told =
            format!("cannot write '{}': it is a pipe that nobody reads from, or a socket", pipe.display());
        for write in [write, write_private] {
            assert_eq!(write(&pipe, b"text").unwrap_err().to_string(), told);
        }
        assert_eq!(open_to_append(&pipe).unwrap_err().to_string(), told);
        // More than it holds.
        let long = vec![b'x'; 1_000_000];
        for open_to in [false, true] {
            let from = pipe.clone();
            let reader = std::thread::spawn(move || fs::read(from).unwrap().len());
            let written = || match open_to {
                true => append(&mut open_to_append(&pipe)?, &long),
                false => write(&pipe, &long),
            };
            // Until the reader is there.
            while written().is_err() {
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            assert_eq!(reader.join().unwrap(), long.len());
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error() {
        let error = write(Path::new("/dev/full"), b"text").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::StorageFull);
        assert_eq!(error.to_string(), "cannot write '/dev/full': No space left on device (os error 28)");
    }
}
