//! `quintain package`: the files that packages of systems install beside the program.

use super::xboard;
use crate::files;
use anyhow::{Context, Result};
use clap::Command;
use clap_complete::{Shell, generate};
use clap_mangen::Man;
use std::fs;
use std::path::{Path, PathBuf};

/// Arguments of `quintain package`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The folder, which stands for the one that will be installed, as `/usr`
    folder: PathBuf,
    /// Where the folder will be
    #[arg(long, default_value = "/usr")]
    prefix: PathBuf,
    /// Where the program will be
    #[arg(long, default_value = "/usr/games/quintain")]
    program: PathBuf,
}

/// Writes man pages, completions, and XBoard's descriptions of the games.
pub fn run(args: Args, mut command: Command) -> Result<()> {
    command = command.disable_help_subcommand(true);
    command.build();
    manual(&args.folder.join("share/man/man6"), &command)?;
    for (shell, file) in [
        (Shell::Bash, "bash-completion/completions/quintain"),
        (Shell::Fish, "fish/vendor_completions.d/quintain.fish"),
        (Shell::Zsh, "zsh/vendor-completions/_quintain"),
    ] {
        let mut text = Vec::new();
        generate(shell, &mut command, "quintain", &mut text);
        write(&args.folder.join("share").join(file), &text)?;
    }
    xboard::describe(&args.folder, &args.prefix, &args.program)
}

/// A page for the command and for each of its subcommands, in the section for games.
fn manual(folder: &Path, command: &Command) -> Result<()> {
    let page = Man::new(command.clone()).section("6");
    let mut text = Vec::new();
    page.render(&mut text)?;
    write(&folder.join(page.get_filename()), &text)?;
    command
        .get_subcommands()
        .filter(|command| !command.is_hide_set())
        .try_for_each(|command| manual(folder, command))
}

fn write(file: &Path, text: &[u8]) -> Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    Ok(files::write(file, text)?)
}
