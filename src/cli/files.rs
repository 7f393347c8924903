//! Safe reading and replacing of files: other programs may change them at the same time, and they may be made
//! to do harm. Begin at [`read`], [`replace`] and [`Held`].

use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File, Metadata, OpenOptions, Permissions, TryLockError};
use std::io::{self, BufRead, Read, Write};
use std::path::{Path, PathBuf};

use same_file::Handle;
use tempfile::TempPath;
use walkdir::WalkDir;

use super::exit::Failure;
use super::shipped;
use worldlines::notation::{MAX_INPUT_BYTES, printable};
use worldlines::puzzle::MAX_FILE_BYTES;

/// The most bytes that are read: one more than allowed, so that the caller can see that there are too many.
const MAX_READ: u64 =
    1 + if MAX_FILE_BYTES > MAX_INPUT_BYTES { MAX_FILE_BYTES } else { MAX_INPUT_BYTES } as u64;

/// The longest report or recording that is read.
pub const MAX_REPORT: u64 = 1 << 30;

/// The name that stands for standard input.
pub const STDIN: &str = "-";

/// A path as JSON has it, the same on every system.
pub fn name(path: &Path) -> String {
    let path = path.display().to_string();
    if cfg!(windows) { path.replace('\\', "/") } else { path }
}

/// A path as messages show it.
pub fn shown(path: &Path) -> String {
    printable(&name(path))
}

/// Reads a file, standard input, or a puzzle that is part of the program. At most one byte more is read than
/// any reader accepts. Pipes and devices are refused, since reading them may never end.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_at_most(path, MAX_READ)
}

/// The text of a file; an error if it has more than `most` bytes.
pub fn text(path: &Path, most: u64) -> Result<String, Failure> {
    let cannot = |why: &dyn fmt::Display| Failure::new(format_args!("cannot read {}: {why}", shown(path)));
    let bytes = read_at_most(path, most.saturating_add(1)).map_err(|error| cannot(&error))?;
    if bytes.len() as u64 > most {
        return Err(cannot(&format_args!("it has more than {most} bytes")));
    }
    String::from_utf8(bytes).map_err(|error| cannot(&error.utf8_error()))
}

/// Like [`read`], but reads at most `most` bytes.
pub fn read_at_most(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    if path == Path::new(STDIN) {
        return read_limited(io::stdin().lock(), most);
    }
    if let Some(shipped) = shipped::read(path) {
        return Ok(shipped.to_vec());
    }
    read_limited(open(path)?.0, most)
}

/// Opens a regular file, and returns it with its size in bytes.
pub fn open(path: &Path) -> io::Result<(File, u64)> {
    // Opening a pipe can block for ever, so the kind of file is checked before. It is checked again after, as
    // another file may be there by then.
    refuse_irregular(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    refuse_irregular(&metadata)?;
    Ok((file, metadata.len()))
}

fn read_limited(source: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn refuse_irregular(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_file() { Ok(()) } else { Err(io::Error::other("it is not a regular file")) }
}

/// The next line of an input without its end, or the beginning of a line that is too long. `None` at the end.
pub fn line(input: &mut impl BufRead) -> Result<Option<String>, Failure> {
    const MOST: u64 = 1 << 20;
    let mut line = Vec::new();
    let read = input.take(MOST).read_until(b'\n', &mut line);
    match read.map_err(|error| Failure::new(format_args!("cannot read standard input: {error}")))? {
        0 => Ok(None),
        _ => Ok(Some(String::from_utf8_lossy(&line).trim().to_owned())),
    }
}

/// A locked file: no other run changes it while this value exists.
///
/// The lock is a file beside it, `.NAME.worldlines`. The new text is written there before it takes the place
/// of the old one. If a run is killed, its lock file stays but is no longer locked: the next run for the same
/// file removes it.
pub struct Held {
    /// The file itself, even if a link to it was named.
    path: PathBuf,
    /// The bytes that were loaded; `None` if there was no file.
    loaded: Option<Vec<u8>>,
    /// The lock file, which is removed with this value.
    lock_path: TempPath,
    lock: File,
}

impl Held {
    /// Locks and loads a file. The file need not exist.
    pub fn of(path: &Path) -> io::Result<Held> {
        Held::real(real_path(path)?)
    }

    /// Like [`Held::of`], for a file in a folder of somebody else: a link that leads out of the folder is
    /// refused.
    pub fn within(folder: &Path, path: &Path) -> io::Result<Held> {
        Held::real(real_path_within(folder, path)?)
    }

    fn real(path: PathBuf) -> io::Result<Held> {
        let lock_path = lock_path(&path)?;
        let lock = lock(&lock_path)?;
        let lock_path = TempPath::try_from_path(lock_path)?;
        let loaded = if_there(read(&path))?;
        Ok(Held { path, loaded, lock_path, lock })
    }

    /// The bytes that were loaded; `None` if there was no file.
    pub fn loaded(&self) -> Option<&[u8]> {
        self.loaded.as_deref()
    }

    /// Replaces the file in one step, so that even after an interruption it has the old text or the new one.
    /// Fails if another program has written the file since it was loaded. Its permissions are kept.
    pub fn replace(mut self, content: impl AsRef<[u8]>) -> io::Result<()> {
        if let Some(permissions) = self.permissions()? {
            // Permissions are set before the text is written: a user who may not read the file must not read
            // this one either.
            self.lock.set_permissions(permissions)?;
        }
        self.lock.write_all(content.as_ref())?;
        self.lock.sync_all()?;
        if if_there(read(&self.path))? != self.loaded {
            return Err(changed());
        }
        let Held { path, loaded, lock_path, lock } = self;
        match loaded {
            Some(_) => lock_path.persist(&path).map_err(|error| error.error)?,
            None => lock_path.persist_noclobber(&path).map_err(|error| match error.error.kind() {
                io::ErrorKind::AlreadyExists => changed(),
                _ => error.error,
            })?,
        }
        drop(lock);
        sync_folder(&path)
    }

    /// The permissions of the file, if there is one. Fails if this user may not write it.
    fn permissions(&self) -> io::Result<Option<Permissions>> {
        if self.loaded.is_none() {
            return Ok(None);
        }
        let permissions = if_there(fs::metadata(&self.path))?.ok_or_else(changed)?.permissions();
        if permissions.readonly() {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only"));
        }
        // The system decides whether this user may write.
        OpenOptions::new().write(true).open(&self.path)?;
        Ok(Some(permissions))
    }
}

/// Writes a file in one step, in place of an earlier one.
pub fn replace(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Failure> {
    Held::of(path).and_then(|held| held.replace(content)).map_err(|error| cannot_write(path, &error))
}

/// Fails if [`replace`] would fail for this file; changes nothing.
pub fn try_writing(path: &Path) -> Result<(), Failure> {
    let tried = Held::of(path).and_then(|held| held.permissions());
    tried.map(|_| ()).map_err(|error| cannot_write(path, &error))
}

/// Creates a folder with those that it lies in, unless it exists.
pub fn create_folder(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))
}

/// The failure to write a file or a folder.
pub fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    let folder = parent(path);
    if error.kind() == io::ErrorKind::NotFound && fs::symlink_metadata(folder).is_err() {
        return Failure::new(format_args!(
            "cannot write {}: there is no folder {}",
            shown(path),
            shown(folder)
        ));
    }
    Failure::new(format_args!("cannot write {}: {error}", shown(path)))
}

/// Creates a new file, and its folder if needed. Fails if the file exists.
pub fn create(path: &Path, text: &str) -> Result<(), Failure> {
    create_folder(parent(path))?;
    create_within(parent(path), path, text).map_err(|error| cannot_write(path, &error))
}

/// Creates a new file, and its folder if needed. Fails if the file exists, or if links lead it out of
/// `folder`.
pub fn create_within(folder: &Path, path: &Path, text: &str) -> io::Result<()> {
    if fs::symlink_metadata(parent(path)).is_err() {
        fs::create_dir_all(parent(path))?;
    }
    let held = Held::within(folder, path)?;
    if held.loaded.is_some() { Err(changed()) } else { held.replace(text) }
}

fn changed() -> io::Error {
    io::Error::other("it has changed meanwhile; nothing was written")
}

/// The value found, or `None` if the file does not exist.
fn if_there<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The folder of a file.
pub fn parent(path: &Path) -> &Path {
    path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
}

/// The folder that a change of a file must not leave: the one of `folders` in which it was found, or its own.
pub fn home<'p>(path: &'p Path, folders: &'p [PathBuf]) -> &'p Path {
    let found = folders.iter().filter(|folder| path != **folder && path.starts_with(folder));
    found.max_by_key(|folder| folder.as_os_str().len()).map_or(parent(path), PathBuf::as_path)
}

/// The path of a file with all links followed, if that is within this folder.
pub fn real_path_within(folder: &Path, path: &Path) -> io::Result<PathBuf> {
    let real = real_path(path)?;
    // A link whose target does not exist is still the link itself here.
    let is_link = fs::symlink_metadata(&real).is_ok_and(|metadata| metadata.is_symlink());
    if !is_link && real.starts_with(fs::canonicalize(folder)?) {
        return Ok(real);
    }
    Err(io::Error::other("a link leads out of its folder; nothing was written"))
}

/// The path of a file with all links followed. The file itself need not exist.
fn real_path(path: &Path) -> io::Result<PathBuf> {
    if let Some(path) = if_there(fs::canonicalize(path))? {
        return Ok(path);
    }
    Ok(fs::canonicalize(parent(path))?.join(path.file_name().unwrap_or_default()))
}

/// `.NAME.worldlines` beside the file.
fn lock_path(path: &Path) -> io::Result<PathBuf> {
    let file = path.file_name().ok_or_else(|| io::Error::other("it is not a regular file"))?;
    let mut name = OsString::from(".");
    name.push(file);
    name.push(".worldlines");
    Ok(path.with_file_name(name))
}

/// Creates and locks a lock file. An existing one is in use, or was left by a run that was killed.
fn lock(path: &Path) -> io::Result<File> {
    loop {
        match OpenOptions::new().read(true).write(true).create_new(true).open(path) {
            Ok(file) => {
                try_lock(&file)?;
                // Meanwhile another run may have removed this file as left over.
                if is_at(&file, path)? {
                    return Ok(file);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => remove_left(path)?,
            Err(error) => return Err(error),
        }
    }
}

/// Removes a lock file that nobody holds. Its content is not used: it may be a link to something else.
fn remove_left(path: &Path) -> io::Result<()> {
    let Some(metadata) = if_there(fs::symlink_metadata(path))? else { return Ok(()) };
    if !metadata.is_file() {
        return Err(io::Error::other(format!("{} is in the way", shown(path))));
    }
    let Some(file) = if_there(OpenOptions::new().read(true).write(true).open(path))? else { return Ok(()) };
    try_lock(&file)?;
    // While it is locked here, no other run removes it. It may have been removed or moved into place before,
    // though.
    if is_at(&file, path)? { fs::remove_file(path) } else { Ok(()) }
}

fn try_lock(file: &File) -> io::Result<()> {
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => {
            io::Error::new(io::ErrorKind::ResourceBusy, "another run is changing it; nothing was written")
        }
        TryLockError::Error(error) => error,
    })
}

/// Whether the file at this path is this very file.
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let opened = Handle::from_file(file.try_clone()?)?;
    Ok(if_there(Handle::from_path(path))?.is_some_and(|there| there == opened))
}

/// Makes the new name survive a power failure, on systems where that needs a call.
fn sync_folder(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    if let Some(folder) = path.parent() {
        File::open(folder)?.sync_all()?;
    }
    let _ = path;
    Ok(())
}

/// The files in a folder and its subfolders that `is_wanted` selects, sorted by name.
pub fn in_folder(folder: &Path, is_wanted: impl Fn(&Path) -> bool) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for entry in WalkDir::new(folder).follow_links(true).sort_by_file_name() {
        let entry =
            entry.map_err(|error| Failure::new(format_args!("cannot read {}: {error}", shown(folder))))?;
        if entry.file_type().is_file() && is_wanted(entry.path()) {
            found.push(entry.into_path());
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with a file `a.yaml` that contains `old`.
    fn folder() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.yaml");
        fs::write(&path, "old").unwrap();
        (folder, path)
    }

    fn names(folder: &Path) -> Vec<OsString> {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    }

    fn why(result: io::Result<()>) -> String {
        result.unwrap_err().to_string()
    }

    #[test]
    fn a_file_is_replaced_and_nothing_is_left() {
        let (folder, path) = folder();
        let held = Held::of(&path).unwrap();
        assert_eq!(held.loaded(), Some(&b"old"[..]));
        assert_eq!(names(folder.path()), [".a.yaml.worldlines", "a.yaml"]);
        held.replace("new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        drop(Held::of(&path).unwrap());
        assert_eq!(names(folder.path()), ["a.yaml"]);
    }

    #[test]
    fn what_somebody_else_wrote_is_kept() {
        let (folder, path) = folder();
        let held = Held::of(&path).unwrap();
        fs::write(&path, "theirs").unwrap();
        assert_eq!(why(held.replace("new")), "it has changed meanwhile; nothing was written");
        assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");

        let held = Held::of(&path).unwrap();
        fs::remove_file(&path).unwrap();
        assert_eq!(why(held.replace("new")), "it has changed meanwhile; nothing was written");
        assert_eq!(names(folder.path()), Vec::<OsString>::new());
    }

    #[test]
    fn a_new_file_takes_no_place_of_another() {
        let (folder, path) = folder();
        let new = folder.path().join("new.yaml");
        let held = Held::of(&new).unwrap();
        assert_eq!(held.loaded(), None);
        fs::write(&new, "theirs").unwrap();
        assert_eq!(why(held.replace("new")), "it has changed meanwhile; nothing was written");
        assert_eq!(fs::read_to_string(&new).unwrap(), "theirs");
        let failure = create(&new, "new").unwrap_err();
        assert!(failure.shown.ends_with("new.yaml: it has changed meanwhile; nothing was written"));
        assert_eq!(fs::read_to_string(&new).unwrap(), "theirs");
        fs::remove_file(&new).unwrap();
        create(&new, "new").unwrap();
        assert_eq!(fs::read_to_string(&new).unwrap(), "new");
        assert_eq!(names(folder.path()), ["a.yaml", "new.yaml"]);
        drop(path);
    }

    #[test]
    fn one_run_at_a_time_changes_a_file() {
        let (folder, path) = folder();
        let held = Held::of(&path).unwrap();
        let again = Held::of(&path).map(|_| ());
        assert_eq!(why(again), "another run is changing it; nothing was written");
        // The refusal has not removed the other run's lock.
        assert_eq!(names(folder.path()), [".a.yaml.worldlines", "a.yaml"]);
        held.replace("new").unwrap();
        Held::of(&path).unwrap().replace("newer").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "newer");
    }

    #[test]
    fn many_runs_at_once_lose_nothing() {
        let (folder, path) = folder();
        fs::write(&path, "").unwrap();
        let append = |letter: char| {
            let mut written = 0;
            while written < 20 {
                let Ok(held) = Held::of(&path) else { continue };
                let mut text = String::from_utf8(held.loaded().unwrap().to_vec()).unwrap();
                text.push(letter);
                held.replace(&text).unwrap();
                written += 1;
            }
        };
        std::thread::scope(|scope| {
            for letter in ['a', 'b', 'c'] {
                scope.spawn(move || append(letter));
            }
        });
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(['a', 'b', 'c'].map(|letter| text.matches(letter).count()), [20, 20, 20]);
        assert_eq!(names(folder.path()), ["a.yaml"]);
    }

    #[test]
    fn what_a_killed_run_left_is_removed() {
        let (folder, path) = folder();
        let left = folder.path().join(".a.yaml.worldlines");
        fs::write(&left, "half of a te").unwrap();
        // It may be another name of a file that must not change.
        let other = folder.path().join("other");
        fs::hard_link(&left, &other).unwrap();
        Held::of(&path).unwrap().replace("new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::read_to_string(&other).unwrap(), "half of a te");
        assert_eq!(names(folder.path()), ["a.yaml", "other"]);
    }

    #[test]
    fn a_read_only_file_stays() {
        let (_folder, path) = folder();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions.clone()).unwrap();
        assert_eq!(why(Held::of(&path).unwrap().replace("new")), "it is read-only");
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        // Some systems do not remove the file while it is read-only.
        #[cfg(windows)]
        permissions.set_readonly(false);
        fs::set_permissions(&path, permissions).unwrap();
    }

    #[test]
    fn what_is_too_long_is_not_read_to_its_end() {
        let (_folder, path) = folder();
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        assert_eq!(read(&path).unwrap().len() as u64, MAX_READ);
    }

    #[cfg(unix)]
    mod unix {
        use std::os::unix::fs::{PermissionsExt, symlink};
        use std::process::Command;

        use super::*;

        #[test]
        fn permissions_are_kept() {
            let (_folder, path) = folder();
            for mode in [0o600, 0o640, 0o755] {
                fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
                Held::of(&path).unwrap().replace("new").unwrap();
                assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode);
            }
        }

        #[test]
        fn what_a_link_leads_to_is_replaced_and_not_the_link() {
            let (folder, path) = folder();
            let other = tempfile::tempdir().unwrap();
            let link = other.path().join("link.yaml");
            symlink(&path, &link).unwrap();
            let held = Held::of(&link).unwrap();
            assert!(Held::of(&path).is_err());
            held.replace("new").unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            assert_eq!(fs::read_to_string(&path).unwrap(), "new");
            assert_eq!(names(folder.path()), ["a.yaml"]);
        }

        #[test]
        fn a_link_is_no_way_out_of_a_folder() {
            let (folder, path) = folder();
            let other = tempfile::tempdir().unwrap();
            let home = other.path();
            let refused = |result: io::Result<()>| {
                assert_eq!(why(result), "a link leads out of its folder; nothing was written");
            };
            symlink(&path, home.join("link.yaml")).unwrap();
            refused(Held::within(home, &home.join("link.yaml")).map(|_| ()));
            symlink(folder.path(), home.join("sub")).unwrap();
            refused(Held::within(home, &home.join("sub/a.yaml")).map(|_| ()));
            refused(create_within(home, &home.join("sub/new.yaml"), "new"));
            assert_eq!(names(folder.path()), ["a.yaml"]);
            // A link within the folder is followed.
            fs::write(home.join("b.yaml"), "old").unwrap();
            symlink("b.yaml", home.join("inner.yaml")).unwrap();
            Held::within(home, &home.join("inner.yaml")).unwrap().replace("new").unwrap();
            assert_eq!(fs::read_to_string(home.join("b.yaml")).unwrap(), "new");
            // A link to a place where no file is yet.
            symlink(folder.path().join("new.yaml"), home.join("ahead.yaml")).unwrap();
            assert!(create_within(home, &home.join("ahead.yaml"), "new").is_err());
            assert_eq!(names(folder.path()), ["a.yaml"]);
        }

        #[test]
        fn a_lock_is_no_way_to_another_file() {
            let (folder, path) = folder();
            let other = folder.path().join("other");
            let lock = folder.path().join(".a.yaml.worldlines");
            for target in ["other", "not-there"] {
                fs::write(&other, "theirs").unwrap();
                symlink(folder.path().join(target), &lock).unwrap();
                assert!(why(Held::of(&path).map(|_| ())).ends_with(".a.yaml.worldlines is in the way"));
                assert_eq!(fs::read_to_string(&other).unwrap(), "theirs");
                assert_eq!(fs::read_to_string(&path).unwrap(), "old");
                assert!(fs::symlink_metadata(&lock).unwrap().is_symlink());
                fs::remove_file(&lock).unwrap();
            }
        }

        #[test]
        fn pipes_devices_and_folders_are_not_read() {
            let (folder, _) = folder();
            let pipe = folder.path().join("pipe");
            assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
            let link = folder.path().join("link");
            symlink("/dev/zero", &link).unwrap();
            for path in [&pipe, &link, &folder.path().to_owned()] {
                assert_eq!(why(read(path).map(|_| ())), "it is not a regular file");
            }
        }
    }
}
