//! `quintain completions` and `quintain man`: the files that shells and `man` read. `quintain package`: all files that
//! packages of systems install beside the program.

use super::xboard;
use anyhow::{Context, Result};
use clap::Command;
use clap_complete::{Shell, generate};
use clap_mangen::Man;
use quintain_io as output;
use quintain_io::files;
use std::fs;
use std::path::{Path, PathBuf};

/// Arguments of `quintain completions`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  quintain completions bash > ~/.local/share/bash-completion/completions/quintain
  quintain completions fish > ~/.config/fish/completions/quintain.fish
  quintain completions zsh > ~/.zfunc/_quintain    a folder that is in fpath")]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Arguments of `quintain man`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  quintain man | man -l -                    read the page of the program
  quintain man ~/.local/share/man/man6       write all pages, for man quintain-play and the others")]
pub struct ManArgs {
    /// The folder for the pages of all commands; without it, the page of the program is printed
    folder: Option<PathBuf>,
}

/// Prints what a shell completes.
pub fn completions(args: &CompletionsArgs, command: Command) -> Result<()> {
    output::print(&String::from_utf8(completion(args.shell, &mut complete(command)))?)
}

/// Prints or writes man pages.
pub fn man(args: &ManArgs, command: Command) -> Result<()> {
    let command = complete(command);
    match &args.folder {
        Some(folder) => manual(folder, &command),
        None => output::print(&String::from_utf8(page(&command)?.1)?),
    }
}

/// The command with all that its subcommands inherit.
fn complete(command: Command) -> Command {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    command
}

fn completion(shell: Shell, command: &mut Command) -> Vec<u8> {
    let mut text = Vec::new();
    generate(shell, command, "quintain", &mut text);
    text
}

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
pub fn run(args: Args, command: Command) -> Result<()> {
    let mut command = complete(command);
    manual(&args.folder.join("share/man/man6"), &command)?;
    for (shell, file) in [
        (Shell::Bash, "bash-completion/completions/quintain"),
        (Shell::Fish, "fish/vendor_completions.d/quintain.fish"),
        (Shell::Zsh, "zsh/vendor-completions/_quintain"),
    ] {
        write(&args.folder.join("share").join(file), &completion(shell, &mut command))?;
    }
    xboard::describe(&args.folder, &args.prefix, &args.program)
}

/// The page of a command, in the section for games: the name of its file, and its text.
fn page(command: &Command) -> Result<(String, Vec<u8>)> {
    let page = Man::new(command.clone()).section("6");
    let mut text = Vec::new();
    page.render(&mut text)?;
    Ok((page.get_filename(), text))
}

/// A page for the command and for each of its subcommands.
fn manual(folder: &Path, command: &Command) -> Result<()> {
    let (name, text) = page(command)?;
    write(&folder.join(name), &text)?;
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
