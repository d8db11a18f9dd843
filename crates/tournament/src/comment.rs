//! Comments of match runners on moves.

use super::player::EngineInfo;
use quintain_core::search::score::UciScore;
use std::fmt::{self, Display};

/// An engine's report on its move, as match runners write it after the move: `+0.34/12 0.123s, n=4567`.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct EngineComment {
    /// Score, depth and nodes.
    pub info: EngineInfo,
    /// Thinking time.
    pub seconds: Option<f64>,
}

impl Display for EngineComment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.info.score {
            Some(UciScore::Centipawns(score)) => write!(f, "{:+.2}", f64::from(score) / 100.0)?,
            Some(UciScore::Mate(moves)) if moves > 0 => write!(f, "+M{moves}")?,
            Some(UciScore::Mate(moves)) => write!(f, "-M{}", moves.unsigned_abs())?,
            None => f.write_str("?")?,
        }
        match self.info.depth {
            Some(depth) => write!(f, "/{depth}")?,
            None => f.write_str("/?")?,
        }
        if let Some(seconds) = self.seconds {
            write!(f, " {seconds:.3}s")?;
        }
        if let Some(nodes) = self.info.nodes {
            write!(f, ", n={nodes}")?;
        }
        Ok(())
    }
}

impl EngineComment {
    /// Reads such a comment; `None` if it is of another kind. What follows is ignored.
    pub fn parse(comment: &str) -> Option<EngineComment> {
        let (head, rest) = comment.split_once([' ', ',']).unwrap_or((comment, ""));
        let (score, depth) = head.split_once('/')?;
        let read_score = |text: &str| -> Option<UciScore> {
            let (sign, number) = match text.strip_prefix('-') {
                Some(number) => (-1, number),
                None => (1, text.strip_prefix('+').unwrap_or(text)),
            };
            if let Some(moves) = number.strip_prefix('M').or(number.strip_prefix('#')) {
                return Some(UciScore::Mate(sign * moves.parse::<u16>().ok().map(i32::from)?));
            }
            // `1/2` is no score.
            if number.len() == text.len() && !text.contains('.') {
                return None;
            }
            let pawns = number.parse::<f64>().ok().filter(|pawns| (0.0..1e7).contains(pawns))?;
            Some(UciScore::Centipawns(sign * (pawns * 100.0).round() as i32))
        };
        let mut read = EngineComment::default();
        if score != "?" {
            read.info.score = Some(read_score(score)?);
        }
        if depth != "?" {
            read.info.depth = Some(depth.parse().ok()?);
        }
        for word in rest.split([' ', ',']) {
            if let Some(nodes) = word.strip_prefix("n=") {
                read.info.nodes = nodes.parse().ok();
            } else if let Some(seconds) = word.strip_suffix('s').filter(|_| read.seconds.is_none()) {
                read.seconds = seconds.parse::<f64>().ok().filter(|seconds| *seconds >= 0.0);
            }
        }
        Some(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_read_back() {
        for (score, text) in [
            (Some(UciScore::Centipawns(-1234)), "-12.34/20 0.500s, n=99"),
            (Some(UciScore::Mate(3)), "+M3/20 0.500s, n=99"),
            (Some(UciScore::Mate(-2)), "-M2/20 0.500s, n=99"),
            (None, "?/20 0.500s, n=99"),
        ] {
            let comment = EngineComment {
                info: EngineInfo { score, depth: Some(20), nodes: Some(99) },
                seconds: Some(0.5),
            };
            assert_eq!(comment.to_string(), text);
            assert_eq!(EngineComment::parse(text), Some(comment));
            assert_eq!(EngineComment::parse(&format!("{text}, White mates")), Some(comment));
        }
        let nothing = EngineComment::default();
        assert_eq!(EngineComment::parse(&nothing.to_string()), Some(nothing));
        // Written by another match runner.
        let comment = EngineComment::parse("+0.25/11 1.4s").unwrap();
        assert_eq!((comment.info.score, comment.seconds), (Some(UciScore::Centipawns(25)), Some(1.4)));
        for other in ["book", "", "a good move", "1/2 of it", "x/3", "+1.0/x"] {
            assert_eq!(EngineComment::parse(other), None, "{other}");
        }
    }
}
