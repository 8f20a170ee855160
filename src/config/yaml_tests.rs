use super::*;

fn tree(text: &str) -> (Node, Vec<String>) {
    let mut errors = Vec::new();
    let node = read(text, Origin::default(), &mut errors)
        .unwrap_or_else(|error| panic!("{text}: {}", error.message));
    (node, errors.into_iter().map(|error| error.message).collect())
}

fn refusal(text: &str) -> (String, Option<(usize, usize)>) {
    let mut errors = Vec::new();
    let error = read(text, Origin::default(), &mut errors).expect_err(text);
    (error.message, error.place.map(|place| (place.line, place.column)))
}

/// The value of the key `a`.
fn value(text: &str) -> Node {
    tree(text).0.entry("a").map(|entry| entry.value.clone()).unwrap()
}

#[test]
fn scalars_follow_yaml_1_2() {
    for text in
        ["off", "on", "no", "yes", "'true'", "\"17\"", "10+0.1", "5:00", "40/60", "movetime=100ms", "017"]
    {
        let bare = text.trim_matches(['\'', '"']);
        assert_eq!(value(&format!("a: {text}")).kind, Kind::Text(bare.to_owned()), "{text}");
    }
    assert_eq!(value("a: true").kind, Kind::Bool(true, "true".to_owned()));
    assert_eq!(value("a: 0x10").kind, Kind::Int(16, "0x10".to_owned()));
    assert_eq!(value("a: 0.30").kind, Kind::Float("0.30".to_owned()));
    assert_eq!(
        value("a: 99999999999999999999999999999999999999").kind,
        Kind::Int(10_i128.pow(38) - 1, "9".repeat(38))
    );
    for text in ["a:", "a: ~", "a: null", "a: # nothing"] {
        assert!(value(text).is_null(), "{text}");
    }
    assert_eq!(value("a: ''").kind, Kind::Text(String::new()));
    assert_eq!(value("a: |\n  x\n  y\n").kind, Kind::Text("x\ny\n".to_owned()));
    assert_eq!(value("a: !!str 17").kind, Kind::Text("17".to_owned()));
}

#[test]
fn places_are_those_of_the_text() {
    let (root, _) = tree("# é\na: 1\r\nb:\r\n  - {c: \"ü x\"}\n");
    let b = root.entry("b").unwrap();
    assert_eq!((b.key_place.line, b.key_place.column, b.key_place.width), (3, 1, 1));
    let Kind::List(items) = &b.value.kind else { panic!("{b:?}") };
    let c = items[0].entry("c").unwrap();
    assert_eq!((c.key_place.line, c.key_place.column, c.key_place.width), (4, 6, 1));
    assert_eq!((c.value.place.line, c.value.place.column, c.value.place.width), (4, 9, 5));
    assert_eq!(c.place().width, 8);
    for (text, width) in [
        ("a: [ 1, 2 ]   # c\n", 8),
        ("a: {b: 1}\n", 6),
        ("a: [1,\n 2]", 1),
        ("a:\n  b: 1\n", 1),
        ("a: x # c", 1),
    ] {
        assert_eq!(value(text).place.width, width, "{text}");
    }
}

#[test]
fn aliases_and_merge_keys() {
    let (root, errors) = tree("b: &x {c: 1, d: 2}\na:\n  <<: *x\n  d: 3\ne: *x\n");
    assert_eq!(errors, Vec::<String>::new());
    let a = &root.entry("a").unwrap().value;
    assert_eq!(a.entry("c").unwrap().value.kind, Kind::Int(1, "1".to_owned()));
    assert_eq!(a.entry("d").unwrap().value.kind, Kind::Int(3, "3".to_owned()));
    assert_eq!(root.entry("e").unwrap().value, root.entry("b").unwrap().value);
    let (root, _) = tree("x: &x {c: 1}\ny: &y {c: 2, d: 2}\na: {<<: [*x, *y]}\n");
    let a = &root.entry("a").unwrap().value;
    assert_eq!(a.entry("c").unwrap().value.kind, Kind::Int(1, "1".to_owned()));
    assert!(a.entry("d").is_some());
    assert_eq!(tree("a: {<<: 5}").1, ["`<<` merges a mapping or a list of mappings, not `5`"]);
}

#[test]
fn doubled_keys_are_errors() {
    assert_eq!(
        tree("a: 1\nb: {c: 1, 'c': 2}\na: 2\n").1,
        ["the key `c` stands here for the second time", "the key `a` stands here for the second time"]
    );
    assert_eq!(tree("{[1]: 2}").1, ["a key must be a plain word, not a list or a mapping"]);
}

#[test]
fn bad_syntax_has_a_place() {
    let (message, place) = refusal("a:\n\tb: 1\n");
    assert!(message.starts_with("not valid YAML: found character that cannot start any token"), "{message}");
    assert_eq!(place, Some((2, 1)));
    let unknown = refusal("a: *nowhere");
    assert_eq!(unknown, ("there is no anchor of this name".to_owned(), Some((1, 4))));
    let second = refusal("# one\n---\na: 1\n---\nb: 2\n");
    assert_eq!(
        second,
        ("a second YAML document begins here; one file is one match".to_owned(), Some((4, 1)))
    );
    for text in
        ["a: [1", "a: b: c", "'", "a: \"\\q\"", "%", "a: !x 5", "- a\nb: c", "@", "a: &x [*x]", "\0", "a: {b"]
    {
        assert!(!refusal(text).0.is_empty(), "{text}");
    }
}

#[test]
fn hostile_files_are_refused() {
    let deep = "[".repeat(100_000);
    let _ = refusal(&deep);
    let _ = refusal(&format!("{deep}{}", "]".repeat(100_000)));
    let _ = refusal(&"- ".repeat(100_000));
    let _ = refusal(&format!("a: 1\n---\n{deep}"));
    let lol = "lolz".to_owned();
    let mut bomb = format!("a0: &a0 [{}]\n", vec![lol; 10].join(","));
    for level in 1..12 {
        let items = vec![format!("*a{}", level - 1); 10].join(",");
        bomb.push_str(&format!("a{level}: &a{level} [{items}]\n"));
    }
    let _ = refusal(&bomb);
}

#[test]
fn an_empty_file_is_null() {
    for text in ["", "\n\n", "# only this\n", "---\n", "~"] {
        assert!(tree(text).0.is_null(), "{text:?}");
    }
}

#[test]
fn the_two_readers_agree_on_usual_yaml() {
    for text in [
        "%YAML 1.2\n---\na: 1\n...\n",
        "--- # comment\na: 1 # more\n",
        "a: >-\n  folded\n  text\n\n  more\n",
        "a: \"two \\\n  lines \\u00e9 \\t\"\n",
        "a: 'it''s\n  two lines'\n",
        "a: plain\n  over\n\n  lines\n",
        "a:\n- x\n- - y\n  - z\n-\n- {p, q: , r: 1}\n",
        "? a\n: 1\n? b\n",
        "&k a: &v 1\n*k : *v\nb: *v\n",
        "a: [x: y, {z: 1}, ]\n",
        "{\"a\": [\"b\", 1.5, true, null, -3], \"c\": {}}",
        "a: !!str 1\nb: !!int 1\nd: !!float 1\n",
        "a: http://x/y#z\nb: a:b\nc: -x\nd: 'ü€😀'\ne: 5:00+3\n",
        "\n\n  a: 1\n  b: 2\n\n",
        "a: |2-\n    x\n   y\n",
        "a: 1\r\nb: |\r\n  x\r\n  y\r\nc: 2\r\n",
        "a: .inf\nb: .nan\nc: 1e3\nd: 0o17\ne: +1\nf: 1_000\ng: 2001-01-01\n",
    ] {
        let mut errors = Vec::new();
        if let Err(error) = read(text, Origin::default(), &mut errors) {
            panic!("{text}{}: {:?}", error.message, error.place);
        }
    }
}
