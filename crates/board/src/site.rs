//! The board as a folder of plain files, for any host: the page of the server, with a worker in place of the server. The
//! program itself, as WebAssembly, comes from elsewhere.

use crate::handbook::HandbookView;
use crate::learn::LessonsView;
use crate::view::Catalog;
use crate::{page, pieces};
use quintain_engine::NAMES;
use serde_json::json;
use std::hash::{DefaultHasher, Hasher};

/// The list of the files, by which a site is known.
pub const LIST: &str = "files.json";
/// The service worker, which keeps the files.
const KEEPER: &str = "offline.js";
/// The files that the list does not name.
pub const OWN: [&str; 2] = [LIST, KEEPER];
/// Of a site's pages; hosts need not send it. Nothing leaves the site, and no text becomes code.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                      img-src 'self' blob:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; \
                      base-uri 'none'; form-action 'none'";

/// A file of a site: its name, with folders, and its bytes.
pub type File = (String, Vec<u8>);

/// A site with these files of the program.
pub fn files(program: Vec<File>) -> Vec<File> {
    let mut files: Vec<File> = page::site().map(|&(name, bytes)| (name.to_owned(), bytes.to_vec())).collect();
    for (name, bytes) in &mut files {
        if name.ends_with(".html") {
            *bytes = head(&String::from_utf8_lossy(bytes)).into_bytes();
        }
    }
    files.push(("pieces.svg".into(), pieces::symbols().into_bytes()));
    files.push(("catalog.json".into(), json!(Catalog::default()).to_string().into_bytes()));
    for name in NAMES {
        let lessons = LessonsView::new(name).expect("lessons of every game");
        files.push((format!("lessons/{name}.json"), json!(lessons).to_string().into_bytes()));
    }
    for name in quintain_handbook::GAMES {
        let page = HandbookView::new(name).expect("pages that can be read");
        files.push((format!("handbook/{name}.json"), json!(page).to_string().into_bytes()));
    }
    files.extend(program);
    let names: Vec<&str> =
        files.iter().map(|(name, _)| name.as_str()).filter(|&name| name != KEEPER).collect();
    let list = json!({ "program": "quintain", "files": names }).to_string();
    let mut hasher = DefaultHasher::new();
    files.iter().for_each(|(name, bytes)| {
        hasher.write(name.as_bytes());
        hasher.write(bytes);
    });
    let version = format!("{:016x}", hasher.finish());
    let names = json!(names).to_string();
    for (name, bytes) in &mut files {
        if name == KEEPER {
            let text = String::from_utf8_lossy(bytes).replace("'VERSION'", &format!("'{version}'"));
            *bytes = text.replace("['FILES']", &names).into_bytes();
        }
    }
    files.push((LIST.into(), list.into_bytes()));
    files
}

/// A page with what the server says in headers, and with what phones want to know.
fn head(page: &str) -> String {
    let policy = format!(r#"<meta http-equiv="Content-Security-Policy" content="{POLICY}" />"#);
    let phones = r#"<link rel="manifest" href="manifest.webmanifest" />
    <link rel="apple-touch-icon" href="icon-192.png" />"#;
    let charset = r#"<meta charset="utf-8" />"#;
    let icon = r#"<link rel="icon" href="favicon.svg" />"#;
    page.replacen(charset, &format!("{charset}\n    {policy}"), 1).replacen(
        icon,
        &format!("{icon}\n    {phones}"),
        1,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn site(program: &str) -> BTreeMap<String, String> {
        let files = files(vec![("modules/all.wasm.gz".into(), program.as_bytes().to_vec())]);
        files.into_iter().map(|(name, bytes)| (name, String::from_utf8_lossy(&bytes).into_owned())).collect()
    }

    #[test]
    fn pages_name_only_files_of_the_site() {
        let site = site("");
        for (name, text) in &site {
            if !(name.ends_with(".html") || name.ends_with(".js") || name.ends_with(".webmanifest")) {
                continue;
            }
            let named =
                ["href=\"", "src=\"", "from './", "new URL('", "\"src\": \""].into_iter().flat_map(|mark| {
                    text.split(mark)
                        .skip(1)
                        .filter_map(|rest| rest.split(['"', '\'', '#', '?', '$', '`']).next())
                });
            for other in named.filter(|other| !other.is_empty() && !["./", "."].contains(other)) {
                assert!(site.contains_key(other), "{name}: {other}");
            }
            assert!(
                !text.contains("://")
                    || name == "icons.svg"
                    || text.matches("://").count() == text.matches("http://www.w3.org").count(),
                "{name}"
            );
        }
        for page in ["index.html", "learn.html", "handbook.html"] {
            assert!(site[page].contains("manifest.webmanifest") && site[page].contains("'wasm-unsafe-eval'"));
        }
    }

    #[test]
    fn every_change_is_another_version() {
        let (one, two) = (site("a"), site("b"));
        assert_ne!(one[KEEPER], two[KEEPER]);
        assert_eq!(one[KEEPER], site("a")[KEEPER]);
        for name in one.keys().filter(|&name| name != KEEPER && name != LIST) {
            assert!(one[KEEPER].contains(&format!("\"{name}\"")), "{name}");
        }
    }
}
