//! CECP, the protocol of XBoard.

use super::Lines;

/// Serves a GUI whose first line was `first`.
pub fn run(_first: &str, _lines: &Lines) -> anyhow::Result<()> {
    Ok(())
}
