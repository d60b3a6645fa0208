//! Converts filter lists with the content-blocking export of Brave's engine: OUT FILTERS…
//! Prints counts as JSON.

use adblock::lists::{FilterSet, ParseOptions};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.len() < 2 {
        eprintln!("usage: brave-convert OUT FILTERS…");
        std::process::exit(2);
    }
    let mut set = FilterSet::new(true);
    let mut lines = 0;
    for path in &arguments[1..] {
        let text = std::fs::read_to_string(path).expect("the filters cannot be read");
        lines += text.lines().count();
        set.add_filter_list(&text, ParseOptions::default());
    }
    let (rules, used) = set.into_content_blocking().expect("the set keeps its lines");
    let json = serde_json::to_string(&rules).expect("rules are JSON");
    std::fs::write(&arguments[0], json).expect("the list cannot be written");
    println!("{{\"lines\": {}, \"taken\": {}, \"rules\": {}}}", lines, used.len(), rules.len());
}
