//! An invisible screen with a mouse.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;
use x11rb::CURRENT_TIME;
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    self, AtomEnum, ConfigureWindowAux, ConnectionExt as _, CreateWindowAux, EventMask, ImageFormat,
    PropMode, SelectionNotifyEvent, SelectionRequestEvent, WindowClass,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

/// The colours of the squares, by which the board is found.
const SQUARES: [u32; 2] = [0xf0_d0_a0, 0xb0_80_60];
/// The same for XBoard.
pub const COLORS: &str =
    "-useBoardTexture false -lightSquareColor #f0d0a0 -darkSquareColor #b08060 -overrideLineGap 1";
const SIZE: (u16, u16) = (1280, 1000);

/// A server without a screen, and a connection to it.
pub struct Screen {
    server: Child,
    name: String,
    connection: RustConnection,
    root: u32,
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl Screen {
    /// Starts a server.
    pub fn new(xvfb: &PathBuf) -> Screen {
        let mut server = Command::new(xvfb)
            .args([
                "-displayfd",
                "1",
                "-nolisten",
                "tcp",
                "-screen",
                "0",
                &format!("{}x{}x24", SIZE.0, SIZE.1),
            ])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts");
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap())
            .read_line(&mut number)
            .expect("the number of the display");
        let name = format!(":{}", number.trim());
        let (connection, screen) = x11rb::connect(Some(&name)).expect("a connection to Xvfb");
        let root = connection.setup().roots[screen].root;
        Screen { server, name, connection, root }
    }

    /// The value of DISPLAY.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn event(&self, kind: u8, detail: u8, (x, y): (i16, i16)) {
        self.connection.xtest_fake_input(kind, detail, 0, self.root, x, y, 0).unwrap().check().unwrap();
        sleep(Duration::from_millis(30));
    }

    /// Moves the mouse.
    pub fn point(&self, at: (i16, i16)) {
        self.event(xproto::MOTION_NOTIFY_EVENT, 0, at);
    }

    /// Clicks another button: the third is the right one, the seventh turns the wheel to the right.
    pub fn click_other(&self, button: u8, at: (i16, i16)) {
        self.point(at);
        self.event(xproto::BUTTON_PRESS_EVENT, button, at);
        self.event(xproto::BUTTON_RELEASE_EVENT, button, at);
    }

    /// Presses and releases keys together, given by their numbers in X; the window under the mouse gets them.
    pub fn keys(&self, names: &[u32], at: (i16, i16)) {
        self.point(at);
        let setup = self.connection.setup();
        let (least, most) = (setup.min_keycode, setup.max_keycode);
        let map = self.connection.get_keyboard_mapping(least, most - least + 1).unwrap().reply().unwrap();
        let row = usize::from(map.keysyms_per_keycode);
        let code = |name: &u32| {
            let place = map.keysyms.chunks(row).position(|names| names.first() == Some(name));
            least + place.unwrap_or_else(|| panic!("no key {name:#x}")) as u8
        };
        let codes: Vec<u8> = names.iter().map(code).collect();
        for &code in &codes {
            self.event(xproto::KEY_PRESS_EVENT, code, at);
        }
        for &code in codes.iter().rev() {
            self.event(xproto::KEY_RELEASE_EVENT, code, at);
        }
    }

    /// Puts text into the clipboard; requests are answered until another program sets it.
    pub fn offer(&self, text: &str) {
        let (connection, _) = x11rb::connect(Some(&self.name)).expect("a connection to Xvfb");
        let window = connection.generate_id().unwrap();
        let (kind, wish) = (WindowClass::INPUT_ONLY, CreateWindowAux::new());
        connection.create_window(0, window, self.root, 0, 0, 1, 1, 0, kind, 0, &wish).unwrap();
        let clipboard = connection.intern_atom(false, b"CLIPBOARD").unwrap().reply().unwrap().atom;
        connection.set_selection_owner(window, clipboard, CURRENT_TIME).unwrap().check().unwrap();
        let text = text.to_owned();
        std::thread::spawn(move || {
            while let Ok(event) = connection.wait_for_event() {
                let request = match event {
                    Event::SelectionRequest(request) => request,
                    Event::SelectionClear(_) => return,
                    _ => continue,
                };
                let SelectionRequestEvent { time, requestor, selection, target, property, .. } = request;
                let done = connection.change_property8(
                    PropMode::REPLACE,
                    requestor,
                    property,
                    target,
                    text.as_bytes(),
                );
                done.unwrap();
                let response_type = xproto::SELECTION_NOTIFY_EVENT;
                let notice = SelectionNotifyEvent {
                    response_type,
                    sequence: 0,
                    time,
                    requestor,
                    selection,
                    target,
                    property,
                };
                connection.send_event(false, requestor, EventMask::NO_EVENT, notice).unwrap();
                connection.flush().unwrap();
            }
        });
    }

    /// Presses the first button.
    pub fn press(&self, at: (i16, i16)) {
        self.point(at);
        self.event(xproto::BUTTON_PRESS_EVENT, 1, at);
    }

    /// Lets it go.
    pub fn release(&self, at: (i16, i16)) {
        self.event(xproto::BUTTON_RELEASE_EVENT, 1, at);
    }

    /// The titles of all windows.
    pub fn titles(&self) -> Vec<String> {
        let windows = self.connection.query_tree(self.root).unwrap().reply().unwrap().children;
        let title = |window| {
            let (name, any) = (AtomEnum::WM_NAME, AtomEnum::ANY);
            let title = self.connection.get_property(false, window, name, any, 0, 1000).ok()?.reply().ok()?;
            String::from_utf8(title.value).ok().filter(|title| !title.is_empty())
        };
        windows.into_iter().filter_map(title).collect()
    }

    /// Gives the highest window another height, as if its lower edge were dragged.
    pub fn stretch(&self, height: u32) {
        let windows = self.connection.query_tree(self.root).unwrap().reply().unwrap().children;
        let height_of = |&window: &u32| {
            let geometry = self.connection.get_geometry(window).ok()?.reply().ok()?;
            Some((geometry.height, window))
        };
        let (_, window) = windows.iter().filter_map(height_of).max().expect("a window");
        let wish = ConfigureWindowAux::new().height(height);
        self.connection.configure_window(window, &wish).unwrap().check().unwrap();
    }

    /// The left, upper, right and lower edge of what has the colours of squares.
    pub fn board(&self) -> Option<(i16, i16, i16, i16)> {
        let (width, height) = SIZE;
        let image = self.connection.get_image(ImageFormat::Z_PIXMAP, self.root, 0, 0, width, height, !0);
        let image = image.unwrap().reply().unwrap();
        let (pixels, _) = image.data.as_chunks();
        let is_square = |&pixel: &[u8; 4]| {
            let color = u32::from_le_bytes(pixel) & 0xff_ff_ff;
            color == SQUARES[0] || color == SQUARES[1]
        };
        let mut found: Option<(i16, i16, i16, i16)> = None;
        for (y, row) in (0..).zip(pixels.chunks_exact(usize::from(width))) {
            let Some(first) = row.iter().position(is_square) else { continue };
            let last = row.iter().rposition(is_square).expect("the first is one");
            let (left, top, right, _) = found.unwrap_or((first as i16, y, last as i16, y));
            found = Some((left.min(first as i16), top, right.max(last as i16), y));
        }
        found
    }
}
