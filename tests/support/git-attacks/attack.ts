/** Something that a command does to the git folder of its workspace, in the hope of what the user's git does next. */
export interface GitAttack {
  readonly name: string;
  /** Run by the user first, in the workspace. */
  readonly setup?: string;
  /** Scripts of the agent, one call each; @C is a file that a program of the attacker would make. */
  readonly scripts: readonly string[];
  /** The user's round is walked here as well. */
  readonly where?: string;
}

/** For every script: who commits, and small tools that write what git itself would not. */
export const TOOLS = `export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
T=$(mktemp -d); H=$(git rev-parse HEAD); TREE=$(git rev-parse HEAD^{tree}); A=$(git rev-parse HEAD:a.txt); F=".git/objects/$(echo $A | cut -c1-2)/$(echo $A | cut -c3-)"
hook() { mkdir -p "$(dirname "$1")"; printf '#!/bin/sh\\ntouch @C\\n' > "$1"; chmod +x "$1"; }
cat > $T/object.py <<'P'
import sys, zlib, hashlib, os
kind, body = sys.argv[1], sys.argv[2].encode('latin1').decode('unicode_escape').encode('latin1')
data = (sys.argv[4].encode('latin1').decode('unicode_escape') if len(sys.argv) > 4 else '%s %d\\0' % (kind, len(body))).encode() + body
own = hashlib.sha1(data).hexdigest(); name = sys.argv[3] if len(sys.argv) > 3 and sys.argv[3] else own
path = '.git/objects/%s/%s' % (name[:2], name[2:]); os.makedirs(os.path.dirname(path), exist_ok=True)
if os.path.exists(path): os.remove(path)
open(path, 'wb').write(zlib.compress(data)); print(own)
P
object() { python3 $T/object.py "$@"; }
cat > $T/index.py <<'P'
import hashlib, struct, sys
tail, entries = sys.argv[1], [e.split(':', 2) for e in sys.argv[2:]]
entries.sort(key=lambda e: e[2].encode()); data = b'DIRC' + struct.pack('>II', 2, len(entries))
for mode, oid, name in entries:
  n = name.encode(); e = struct.pack('>10I', 0, 0, 0, 0, 0, 0, int(mode, 8), 0, 0, 0) + bytes.fromhex(oid) + struct.pack('>H', min(len(n), 0xfff)) + n
  data += e + b'\\0' * (8 - len(e) % 8)
data += tail.encode('latin1').decode('unicode_escape').encode('latin1')
open('.git/index', 'wb').write(data + hashlib.sha1(data).digest())
P
index() { python3 $T/index.py "$@"; }
commit_with() { git commit-tree "$(git mktree --missing)" -p $H -m x; }
`;

/** The same attack under several names: a table of what differs. */
export function attacks(group: string, table: Readonly<Record<string, string>>): readonly GitAttack[] {
  return Object.entries(table).map(([name, script]) => ({ name: `${group}: ${name}`, scripts: [script] }));
}
