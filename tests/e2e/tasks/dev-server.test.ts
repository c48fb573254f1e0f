import { type ChildProcess, spawn } from 'node:child_process';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/redis-server.js';
import { TaskTwins } from '../../support/task-twins.js';

const LONG = process.env.CASTELLAN_LONG === '1';
const MINUTES = 5;
const ROUNDS = LONG ? 30 : 3;
const PAUSE_MS = LONG ? (MINUTES * 60_000) / ROUNDS : 0;
/** Of the session: its network is its own. */
const PORT = 8123;

/** A page that is built from a source when that changes, and a server that begins anew with each build. */
const MAKE = `
mkdir -p src
echo '{ "private": true, "type": "module", "scripts": { "dev": "node dev.mjs" } }' > package.json
echo 'export const title = "version 0";' > src/page.mjs
cat > server.mjs <<'END'
import { createServer } from 'node:http';
import { title } from './src/page.mjs';
const server = createServer((request, response) => response.end(\`<h1>\${title}</h1> \${request.url}\\n\`));
server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log(\`ready: \${title}\`));
END
cat > dev.mjs <<'END'
import { spawn } from 'node:child_process';
import { watch, writeFileSync } from 'node:fs';
let child, timer;
const start = () => { child = spawn(process.execPath, ['server.mjs'], { stdio: 'inherit' }); };
const again = () => { console.log('rebuilding'); child.once('exit', start); child.kill(); };
watch('src', () => { clearTimeout(timer); timer = setTimeout(again, 50); });
process.on('SIGTERM', () => { writeFileSync('stopped.txt', 'in good order\\n'); child.kill(); process.exit(0); });
start();
END`;

describe(`An agent with a development server that rebuilds, ${ROUNDS} times`, function () {
  this.timeout(MINUTES * 60_000 + 300_000);
  const twins = new TaskTwins();
  let outside: ChildProcess;
  let port = 0;
  before(() => twins.begin(MAKE));
  after(async () => {
    outside?.kill('SIGKILL');
    await twins.stop();
  });

  const text = async (tool: string, args: Readonly<Record<string, unknown>>): Promise<string> => {
    const { isError, texts } = await twins.person.reads(tool, args);
    expect(isError, texts.join('\n')).to.equal(false);
    return texts.join('\n');
  };
  const page = async (): Promise<readonly [inside: string, outside: string]> => {
    const [inside, plain] = await Promise.all([
      twins.agent({ command: `curl -s localhost:${PORT}/x` }),
      twins.plain(`curl -s localhost:${port}/x`),
    ]);
    return [inside.output, plain.output];
  };

  /** Follows the output until it says so. */
  const heard = async (process_id: string | undefined, wanted: string): Promise<void> => {
    let all = '';
    await eventually(`"${wanted}" is printed`, async () => {
      all += await text('process_output', { process_id, wait_for: 'line', wait: 10 });
      return all.includes(wanted);
    });
  };

  it('sees each change in the page, and in the output that it waits for', async () => {
    const begun = await text('execute_command', {
      command: 'npm run dev',
      background: true,
      env: { PORT: String(PORT) },
    });
    const process_id = /p_[\w-]+/.exec(begun)?.[0];
    port = await freePort();
    outside = spawn(process.execPath, ['dev.mjs'], {
      cwd: twins.outside,
      env: { ...process.env, PORT: String(port) },
      stdio: 'ignore',
    });
    await heard(process_id, 'ready: version 0');
    for (let round = 1; round <= ROUNDS; round += 1) {
      const edit = { old_text: `version ${round - 1}`, new_text: `version ${round}` };
      await text('edit_file', { path: 'src/page.mjs', ...edit });
      await twins.plain(`sed -i 's/version ${round - 1}"/version ${round}"/' src/page.mjs`);
      await heard(process_id, `ready: version ${round}`);
      const wanted = `<h1>version ${round}</h1> /x\n`;
      await eventually('both serve the change', async () =>
        (await page()).every((shown) => shown === wanted),
      );
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    const listed = await text('list_processes', {});
    expect(listed).to.include(process_id);
    await text('stop_process', { process_id });
    outside.kill('SIGTERM');
    await eventually('both have stopped', async () => {
      const [inside, plain] = await page();
      return inside === '' && plain === '';
    });
    await eventually('it has ended outside', () => outside.exitCode !== null);
    twins.sameFiles('the server was stopped');
  });
});
