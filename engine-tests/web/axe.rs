//! The checks of axe-core, whose script CI names.

use super::browser::Page;
use super::skip::skip;
use serde_json::json;

/// The script; `None`, with a word, where it is not named.
pub fn script() -> Option<String> {
    let Some(script) = std::env::var_os("AXE_SCRIPT") else {
        skip("AXE_SCRIPT is not set");
        return None;
    };
    Some(std::fs::read_to_string(script).expect("the script of axe-core"))
}

/// Nothing is wrong with a page, light and dark; `what` names it.
pub fn check(page: &mut Page, script: &str, what: &str) {
    page.call("Runtime.evaluate", json!({ "expression": script }));
    for theme in ["light", "dark"] {
        page.eval(&format!("document.documentElement.dataset.theme = '{theme}'"));
        let found = page.eval(
            "axe.run({ rules: { 'target-size': { enabled: true } } }).then(({ violations }) => violations.map(v => \
             `${v.id}: ${v.nodes.slice(0, 3).map(n => `${n.html} ${n.failureSummary}`).join(' | ')}`))",
        );
        assert_eq!(found, json!([]), "{what}, {theme}: {found:#}");
    }
}
