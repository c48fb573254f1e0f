import { mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe } from 'mocha';
import { approvalFolder } from '../../src/infrastructure/approval/approval-door.js';
import { PinFile } from '../../src/infrastructure/approval/pin-file.js';
import { CommandClient } from '../support/command-client.js';
import { TreeAttackGround, testsAs } from '../support/tree-attack-ground.js';

const POLICY = 'version: 1\nextends: [builtin:workspace]\n';
const MARK = 'APPROVAL_SOCKET_ANSWERED';

describe('The PIN, the sockets of approvals and the console, for an agent with execute_command', function () {
  this.timeout(120_000);
  const test = testsAs(undefined);
  let ground: TreeAttackGround;
  let client: CommandClient;
  let socket: Server;
  let console: Server;
  let port: number;
  let folder: string;

  beforeEach(async () => {
    ground = new TreeAttackGround(undefined);
    const state = join(ground.state, 'castellan');
    folder = approvalFolder(state);
    mkdirSync(ground.state, { recursive: true });
    await new PinFile(state).set('correct horse');
    console = createServer((connection) => connection.end(MARK));
    await new Promise<void>((resolve) => console.listen(0, '127.0.0.1', resolve));
    const address = console.address();
    port = typeof address === 'object' && address !== null ? address.port : 0;
    socket = createServer((connection) => connection.end(MARK));
    await new Promise<void>((resolve) => socket.listen(join(folder, '1-1.00000000.sock'), resolve));
    const env = { HOME: ground.state, XDG_STATE_HOME: ground.state, XDG_CONFIG_HOME: ground.state };
    client = await CommandClient.start(ground, ground.put('permissions.yaml', POLICY), env, undefined);
  });
  afterEach(async () => {
    await client.stop();
    socket.close();
    console.close();
    await ground.remove();
  });

  test('cannot be read, reached, removed or replaced', async () => {
    const connect = `python3 -c 'import socket; s=socket.socket(socket.AF_UNIX); s.connect("${folder}/1-1.00000000.sock"); print(s.recv(99))'`;
    for (const text of [
      `cat ${folder}/pin.json ${folder}/tries.json; ls -la ${folder}`,
      `for p in /proc/[0-9]*; do cat $p/root${folder}/pin.json; ls $p/root${folder}; done`,
      `ln -s ${folder}/pin.json link; cat link; cp -r ${folder} copy; cat copy/*`,
      connect,
      `ln -s ${folder}/1-1.00000000.sock s; ${connect.replace(`${folder}/1-1.00000000.sock`, 's')}`,
      `rm -rf ${folder}; echo '{"wrong":0,"at":0}' > ${folder}/tries.json; mkdir -p ${folder}`,
      'exec 3<>/dev/tty && echo TTY_OPEN',
      `curl -s -m 5 http://127.0.0.1:${port}/; curl -s -m 5 --interface lo http://localhost:${port}/`,
      `curl -s -m 5 --unix-socket ${folder}/1-1.00000000.sock http://x/; exec 3<>/dev/tcp/127.0.0.1/${port}; cat <&3`,
    ])
      expect(await ground.sh(client, text), text).not.to.match(
        new RegExp(`verifier|"salt"|"wrong"\\s*:\\s*0,"at":0\\}$|pin\\.json\\n|${MARK}|TTY_OPEN`),
      );
    expect((await new PinFile(join(ground.state, 'castellan')).unlock('correct horse')).success).to.equal(
      true,
    );
  });
});
