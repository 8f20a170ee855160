use std::io::{Cursor, Read, Seek};

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::*;
use crate::openings::problem::OpeningsError;
use crate::openings::source::Source;

const LINE: &str = "4k3/8/8/8/8/8/4P3/4K3 w - -\n";
/// `LINE` as the `zstd` command packs it, with a checksum at the end.
const ZSTD_FRAME: &[u8] = b"\x28\xb5\x2f\xfd\x04\x68\xcd\x00\x00\x98\x34\x6b\x33\x2f\x38\x34\x50\x33\x2f\x34\x4b\x33\x20\x77\x20\x2d\x20\x2d\x0a\x01\x00\x15\x4e\x0b\x2d\xe5\xc3\x0e";
/// Five bytes that every reader of Zstandard passes over.
const SKIPPED_FRAME: &[u8] = b"\x52\x2a\x4d\x18\x05\0\0\0notes";

fn zip(members: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in members {
        if let Some(folder) = name.strip_suffix('/') {
            zip.add_directory(folder, SimpleFileOptions::default()).unwrap();
        } else {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(text.as_bytes()).unwrap();
        }
    }
    zip.finish().unwrap().into_inner()
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(text).unwrap();
    gzip.finish().unwrap()
}

fn written(bytes: &[u8], suffix: &str) -> tempfile::NamedTempFile {
    let mut file = tempfile::Builder::new().prefix("book").suffix(suffix).tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file
}

/// What a packed file holds, and the name by which its ending is known.
fn unpacked(bytes: &[u8], suffix: &str, limit: u64) -> Result<(String, PathBuf), String> {
    let packed = written(bytes, suffix);
    let file = File::open(packed.path()).unwrap();
    let packing = Packing::of(packed.path(), bytes).map_err(|fault| fault.to_string())?.unwrap();
    let mut unpacked = packing.unpack(packed.path(), file, limit).map_err(|fault| fault.to_string())?;
    let mut text = String::new();
    unpacked.file.rewind().unwrap();
    unpacked.file.read_to_string(&mut text).unwrap();
    Ok((text, unpacked.name))
}

fn fault(bytes: &[u8], suffix: &str) -> String {
    unpacked(bytes, suffix, UNPACKED_LIMIT).unwrap_err()
}

#[test]
fn every_kind_of_packing_gives_the_book_and_its_name() {
    for (bytes, suffix) in
        [(gzip(LINE.as_bytes()), ".epd.gz"), (ZSTD_FRAME.to_vec(), ".epd.zst"), (gzip(b""), ".epd.GZ")]
    {
        let (text, name) = unpacked(&bytes, suffix, UNPACKED_LIMIT).unwrap();
        assert!(text == LINE || text.is_empty() && suffix == ".epd.GZ", "{suffix}: {text}");
        assert_eq!(name.extension().unwrap(), "epd");
    }
    // The content decides how it is packed, not the name.
    let zipped = zip(&[("folder/inner.pgn", "1. e4 *")]);
    let expected = ("1. e4 *".to_owned(), PathBuf::from("folder/inner.pgn"));
    assert_eq!(unpacked(&zipped, ".epd", UNPACKED_LIMIT).unwrap(), expected);
    assert!(Packing::of(Path::new("book.epd"), LINE.as_bytes()).unwrap().is_none());
}

#[test]
fn parts_that_were_joined_are_all_unpacked() {
    let twice = LINE.repeat(2);
    let gzips = [gzip(LINE.as_bytes()), gzip(LINE.as_bytes())].concat();
    let frames = [SKIPPED_FRAME, ZSTD_FRAME, SKIPPED_FRAME, ZSTD_FRAME].concat();
    assert_eq!(unpacked(&gzips, ".gz", UNPACKED_LIMIT).unwrap().0, twice);
    assert_eq!(unpacked(&frames, ".zst", UNPACKED_LIMIT).unwrap().0, twice);
}

#[test]
fn the_only_book_of_a_zip_is_meant() {
    for members in [
        &[("a.txt", LINE)][..],
        &[("book/", ""), ("book/README.txt", "x"), ("LICENSE", "x"), ("book/a.EPD", LINE)],
        &[("__MACOSX/._a.epd", "x"), (".DS_Store", "x"), ("a", LINE)],
    ] {
        assert_eq!(unpacked(&zip(members), ".zip", UNPACKED_LIMIT).unwrap().0, LINE, "{members:?}");
    }
    let two = fault(&zip(&[("a.epd", LINE), ("b/c.pgn", "x"), ("README", "x")]), ".zip");
    assert!(two.starts_with("it holds several books (a.epd, b/c.pgn): unpack"), "{two}");
    let names: Vec<String> = (0..12).map(|n| format!("{n}.epd")).collect();
    let many: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "")).collect();
    let many = fault(&zip(&many), ".zip");
    assert!(many.contains("9.epd and 2 more)"), "{many}");
    for none in [&[][..], &[("folder/", "")], &[(".hidden.epd", LINE)]] {
        assert_eq!(fault(&zip(none), ".zip"), "there is no book in it", "{none:?}");
    }
}

#[test]
fn a_book_that_unpacks_beyond_measure_is_refused() {
    let text = "0".repeat(100_000);
    for (bytes, suffix) in [
        (zip(&[("a.epd", &text)]), ".zip"),
        (gzip(text.as_bytes()), ".gz"),
        (ZSTD_FRAME.repeat(5000), ".zst"),
    ] {
        let told = unpacked(&bytes, suffix, 99_999).unwrap_err();
        assert!(told.starts_with("it unpacks to more than 99999 bytes"), "{suffix}: {told}");
        assert!(unpacked(&bytes, suffix, 200_000).is_ok(), "{suffix}");
    }
}

#[test]
fn what_is_cut_off_or_damaged_is_told() {
    let text: String = (0..3000).map(|n| format!("{n} {}\n", n * n)).collect();
    for (bytes, suffix) in
        [(zip(&[("a.epd", &text)]), ".zip"), (gzip(text.as_bytes()), ".gz"), (ZSTD_FRAME.to_vec(), ".zst")]
    {
        for cut in [4, bytes.len() / 2, bytes.len() - 1] {
            let told = fault(&bytes[..cut], suffix);
            assert!(told.starts_with("it is damaged, cut off"), "{suffix} {cut}: {told}");
        }
        let mut changed = bytes.clone();
        let middle = changed.len() / 2;
        changed[middle] ^= 0x10;
        assert!(fault(&changed, suffix).starts_with("it is damaged"), "{suffix}");
    }
    let mut wrong_sum = ZSTD_FRAME.to_vec();
    *wrong_sum.last_mut().unwrap() ^= 1;
    assert!(fault(&wrong_sum, ".zst").contains("the checksum is wrong"));
    for suffix in [".zip", ".gz", ".ZST"] {
        let told = fault(b"4k3/8/8/8/8/8/4P3/4K3 w - -", suffix);
        assert!(told.contains("but is not packed so"), "{suffix}: {told}");
        assert_eq!(fault(b"", suffix), told);
    }
}

#[test]
fn errors_name_the_archive() {
    let book = written(&zip(&[("a.epd", LINE), ("b.epd", LINE)]), ".zip");
    let Err(error @ OpeningsError::Packed { .. }) = Source::open(book.path()) else { panic!() };
    let expected = format!("can't unpack the opening book `{}`: it holds", book.path().display());
    assert!(error.to_string().starts_with(&expected), "{error}");
}

proptest! {
    #[test]
    fn wild_archives_do_not_panic(kind in 0..3_usize, at: prop::sample::Index, byte: u8, cut: prop::sample::Index) {
        let archives = [
            zip(&[("README", "x"), ("a.epd", LINE)]),
            gzip(LINE.repeat(9).as_bytes()),
            [SKIPPED_FRAME, ZSTD_FRAME].concat(),
        ];
        let mut bytes = archives[kind].clone();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let cut = cut.index(4 * bytes.len());
        bytes.truncate(cut);
        let file = written(&bytes, "");
        let packing = [Packing::Zip, Packing::Gzip, Packing::Zstd][kind];
        let _ = packing.unpack(file.path(), File::open(file.path()).unwrap(), 10_000);
    }
}
