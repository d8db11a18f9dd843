//! Text for people: line breaks, and what they typed.

/// Words on lines of at most `width` characters: the first begins with `head`, the others are indented by as much.
pub fn hanging(head: &str, words: &[&str], width: usize) -> String {
    let indent = head.chars().count();
    let (mut text, mut column) = (head.to_owned(), indent);
    for (index, word) in words.iter().enumerate() {
        let length = word.chars().count();
        if index > 0 && column + 1 + length > width {
            text = format!("{text}\n{}", " ".repeat(indent));
            column = indent;
        } else if index > 0 {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += length;
    }
    text + "\n"
}

/// A sentence broken into lines like [`hanging`].
pub fn paragraph(head: &str, sentence: &str, width: usize) -> String {
    hanging(head, &sentence.split_whitespace().collect::<Vec<_>>(), width)
}

/// Typed text for an error message: without control characters, and cut if it is long.
pub fn shown(text: &str) -> String {
    const LONGEST: usize = 40;
    let clean: String = text.chars().filter(|c| !c.is_control()).take(LONGEST).collect();
    if text.chars().count() > LONGEST { format!("{clean}...") } else { clean }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_hang_and_do_not_exceed_the_width() {
        assert_eq!(hanging("ab ", &["c", "de", "f"], 7), "ab c de\n   f\n");
        assert_eq!(hanging("ab ", &["incompressible", "x"], 7), "ab incompressible\n   x\n");
        assert_eq!(hanging("ab ", &[], 7), "ab \n");
    }
}
