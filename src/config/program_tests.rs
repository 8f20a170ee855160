use super::*;
use std::os::unix::fs::PermissionsExt;

fn program(path: &Path, mode: u32) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, "").unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// A folder with `bin` (on PATH) and `match` (the match file's).
fn machine() -> (tempfile::TempDir, OnDisk, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let (bin, base) = (folder.path().join("bin"), folder.path().join("match"));
    program(&bin.join("both"), 0o755);
    program(&base.join("both"), 0o755);
    program(&base.join("beside engine"), 0o755);
    program(&base.join("sub/engine"), 0o755);
    program(&base.join("data"), 0o644);
    fs::create_dir_all(bin.join("shadowed")).unwrap();
    program(&base.join("shadowed"), 0o755);
    let disk = OnDisk { path: Some(bin.into()), own_program: Some(PathBuf::from("/own/arbiter-1")) };
    (folder, disk, base)
}

#[test]
fn u_01_path_first_then_the_folder_of_the_match_file() {
    let (folder, disk, base) = machine();
    let absolute = base.join("sub/engine");
    for (command, found) in [
        ("both", folder.path().join("bin/both")),
        ("./both", base.join("both")),
        ("sub/engine", absolute.clone()),
        (absolute.to_str().unwrap(), absolute.clone()),
        ("shadowed", base.join("shadowed")),
        ("arbiter", PathBuf::from("/own/arbiter-1")),
    ] {
        let program = disk.program(command, &base).unwrap();
        assert_eq!(
            fs::canonicalize(&program).unwrap_or(program),
            fs::canonicalize(&found).unwrap_or(found),
            "{command}"
        );
    }
}

#[test]
fn u_02_blanks_belong_to_the_path() {
    let (_folder, disk, base) = machine();
    assert_eq!(disk.program("beside engine", &base), Ok(base.join("beside engine")));
}

#[test]
fn what_was_tried_is_said() {
    let (_folder, disk, base) = machine();
    let shown = base.display();
    for (command, message, hint) in [
        (
            "nix",
            "there is no program `nix`".to_owned(),
            format!("tried every folder of PATH, then `{shown}/nix`"),
        ),
        ("sub/nix", "there is no program `sub/nix`".to_owned(), format!("tried `{shown}/sub/nix`")),
        (
            "gnuchess --uci",
            "there is no program `gnuchess --uci`".to_owned(),
            "blanks belong to the name; to give arguments write a list: `[gnuchess, --uci]`".to_owned(),
        ),
        (
            "~/nix",
            "there is no program `~/nix`".to_owned(),
            "`~` is not replaced by your home folder: write the whole path".to_owned(),
        ),
        (
            "data",
            format!("`{shown}/data` can't be started: it is not executable"),
            "name a program file with the right to be executed".to_owned(),
        ),
        (
            "./sub",
            format!("`{shown}/./sub` can't be started: it is a folder"),
            "name a program file with the right to be executed".to_owned(),
        ),
    ] {
        assert_eq!(disk.program(command, &base), Err(NotFound { message, hint }), "{command}");
    }
}

#[test]
fn folders_and_files_are_told_apart() {
    let (_folder, disk, base) = machine();
    assert_eq!(disk.folder(&base), Ok(()));
    assert_eq!(disk.file(&base.join("data")), Ok(()));
    assert!(disk.folder(&base.join("data")).unwrap_err().ends_with("is not a folder"));
    assert!(disk.file(&base).unwrap_err().ends_with("is a folder, not a file"));
    assert!(disk.file(&base.join("nix")).unwrap_err().ends_with("no such file or directory"));
}
