//! Where the board is found: the addresses of this computer that work, and the links for each visitor.

use super::access::{Host, Tokens};
use quintain_board::room::Role;
use serde::Serialize;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

/// An address of the documentation, which nothing is sent to.
const ELSEWHERE: (Ipv4Addr, u16) = (Ipv4Addr::new(192, 0, 2, 1), 9);

/// The link of a visitor.
pub fn link(origin: &str, token: &str) -> String {
    format!("{origin}/?token={token}")
}

/// The first part of the link that this computer itself can open.
pub fn here(listening: SocketAddr) -> String {
    let ip = match listening.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    format!("http://{}", SocketAddr::new(ip, listening.port()))
}

/// The first parts of links that others can open, the likeliest first: names that were given, then the addresses of the
/// networks to which this computer belongs.
pub fn origins(listening: SocketAddr, names: &[Host]) -> Vec<String> {
    let numbers = if listening.ip().is_unspecified() {
        let found = if_addrs::get_if_addrs().unwrap_or_default();
        reachable(found.iter().map(if_addrs::Interface::ip), listening.is_ipv6(), outgoing())
    } else if listening.ip().is_loopback() {
        Vec::new()
    } else {
        vec![listening.ip()]
    };
    let numbers = numbers.into_iter().map(|ip| format!("http://{}", SocketAddr::new(ip, listening.port())));
    names.iter().map(|name| name.origin(listening.port())).chain(numbers).collect()
}

/// The addresses that other computers may reach: none of this computer alone, and none that need the name of a network
/// device. The one by which this computer reaches others comes first; those of IPv6 come last.
fn reachable(found: impl Iterator<Item = IpAddr>, with_v6: bool, outgoing: Option<IpAddr>) -> Vec<IpAddr> {
    let useful = |ip: &IpAddr| match ip {
        IpAddr::V4(ip) => !ip.is_loopback() && !ip.is_link_local(),
        IpAddr::V6(ip) => with_v6 && !ip.is_loopback() && !ip.is_unicast_link_local(),
    };
    let mut found: Vec<IpAddr> = found.filter(useful).collect();
    found.sort_by_key(|ip| (Some(*ip) != outgoing, ip.is_ipv6()));
    found.dedup();
    found
}

/// The address by which this computer reaches others. Choosing the way sends nothing.
fn outgoing() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect(ELSEWHERE).ok()?;
    Some(socket.local_addr().ok()?.ip())
}

/// The links for others, for the page of the owner.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Links {
    origins: Vec<String>,
    /// Whose link it is, and what follows the origin.
    paths: Vec<(Role, String)>,
}

impl Links {
    /// The links as they are now, for networks come and go.
    pub fn new(listening: SocketAddr, names: &[Host], tokens: &Tokens) -> Links {
        let guests = tokens.guests.iter().flatten();
        Links {
            origins: if tokens.guests.is_some() { origins(listening, names) } else { Vec::new() },
            paths: Role::GUESTS.into_iter().zip(guests.map(|token| link("", token))).collect(),
        }
    }

    /// What a person at a terminal is told.
    pub fn text(&self) -> String {
        let Some((first, others)) = self.origins.split_first() else {
            return "No other computer can reach this one: it has no address in a network.\n".into();
        };
        let mut text =
            "Links for others. White and Black play, spectators look on; you alone start games:\n".to_owned();
        for (role, path) in &self.paths {
            let name = match role {
                Role::White => "White",
                Role::Black => "Black",
                Role::Owner | Role::Spectator => "spectators",
            };
            text += &format!("  {name:<10}  {first}{path}\n");
        }
        if !others.is_empty() {
            text += &format!("Other addresses that may work: {}\n", others.join(" "));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_others_reach_are_listed() {
        let ips = ["127.0.0.1", "172.17.0.1", "169.254.3.4", "192.168.1.20", "::1", "fe80::1", "2001:db8::7"]
            .map(|ip| ip.parse::<IpAddr>().unwrap());
        let told = |with_v6| {
            let found = reachable(ips.into_iter(), with_v6, Some(ips[3]));
            found.iter().map(IpAddr::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(told(true), "192.168.1.20 172.17.0.1 2001:db8::7");
        assert_eq!(told(false), "192.168.1.20 172.17.0.1");
    }

    #[test]
    fn links_can_be_opened() {
        let at = |text: &str| text.parse::<SocketAddr>().unwrap();
        assert_eq!(here(at("0.0.0.0:8178")), "http://127.0.0.1:8178");
        assert_eq!(here(at("[::]:8178")), "http://[::1]:8178");
        assert_eq!(here(at("192.168.1.2:81")), "http://192.168.1.2:81");
        let names = ["https://chess.example.org".parse().unwrap()];
        // Nobody else reaches this computer alone, unless by a proxy on it.
        assert!(origins(at("127.0.0.1:8178"), &[]).is_empty());
        assert_eq!(origins(at("127.0.0.1:8178"), &names), ["https://chess.example.org"]);
        let of_one = ["https://chess.example.org", "http://192.168.1.2:81"];
        assert_eq!(origins(at("192.168.1.2:81"), &names), of_one);
        let mut tokens = Tokens::for_owner().unwrap();
        tokens.invite().unwrap();
        let text = Links::new(at("192.168.1.2:81"), &names, &tokens).text();
        for token in tokens.guests.unwrap() {
            assert!(text.contains(&format!("  https://chess.example.org/?token={token}\n")), "{text}");
        }
        assert!(
            text.ends_with("may work: http://192.168.1.2:81\n") && !text.contains(&tokens.owner),
            "{text}"
        );
    }
}
