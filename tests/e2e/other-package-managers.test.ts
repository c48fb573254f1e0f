import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { SHIPPED } from '../support/package-registry.js';
import { type Same, TwinProjects } from '../support/twin-projects.js';
import { WheelIndex } from '../support/wheel-index.js';

const PYTHON = '/usr/bin/python3';
const CARGO = '/usr/bin/cargo';
const hasVenv = spawnSync(PYTHON, ['-c', 'import venv, ensurepip']).status === 0;

const WORKSPACE = `version: 1
extends: [builtin:workspace]
also_allow:
  - { tool: execute_command, command: [npm], network: full }
  - { tool: execute_command, command: [pip], network: full }
  - { tool: execute_command, command: [.venv/bin/pip], network: full }
`;

/** What people obey or keep secret, in a folder of a package. */
const shippedIn = (folder: string) =>
  Object.fromEntries(Object.entries(SHIPPED).map(([path, text]) => [`${folder}/${path}`, text]));

/** Bytecode has times in it, RECORD the hashes of scripts that name their interpreter by its whole path. */
const sameVenv: Same = (path, text) =>
  /\.pyc$|\/RECORD$/.test(path) ? '' : text.replace(/^home = .*$/m, 'home');

async function startTwins(twins: TwinProjects): Promise<void> {
  const policy = join(twins.folder, '..', 'policy.yaml');
  writeFileSync(policy, WORKSPACE);
  await twins.start(policy);
}

if (hasVenv)
  describe('pip in a virtual environment of the project', () => {
    const index = new WheelIndex();
    const twins = new TwinProjects();
    before(async () => {
      for (const version of ['1.0.0', '1.1.0']) {
        index.add('first_wheel', version, shippedIn('first_wheel/data'));
        index.add('second_wheel', version, { 'CLAUDE.md': 'x\n', 'second_wheel/.env': 'TOKEN=example\n' });
      }
      await index.listen();
      twins.write('.env', 'SECRET=mine\n');
      twins.write('use.py', "import first_wheel, second_wheel\nassert first_wheel.version == '1.1.0'\n");
      await startTwins(twins);
    });
    after(async () => {
      await twins.stop();
      await index.close();
    });

    const pip = (words: string) =>
      `.venv/bin/pip --disable-pip-version-check ${words} --no-cache-dir --index-url=INDEX`;
    const LINES = [
      `${PYTHON} -m venv .venv`,
      pip('install first_wheel==1.0.0 second_wheel==1.0.0'),
      pip('install --upgrade first_wheel'),
      '.venv/bin/python -B use.py',
      '.venv/bin/pip uninstall -y second_wheel',
      pip('install --force-reinstall first_wheel==1.0.0'),
      '. .venv/bin/activate && pip uninstall -y first_wheel',
      'rm -rf .venv',
    ];
    for (const line of LINES)
      it(`ends as outside: ${line}`, async function () {
        this.timeout(300_000);
        await twins.both(line.replaceAll('INDEX', index.url), sameVenv);
        expect(twins.trees(sameVenv)[0].length).to.be.above(1);
      });
  });

if (existsSync(CARGO))
  describe('cargo with crates of the project and of vendor', () => {
    const twins = new TwinProjects();
    /** What is built has the project's folder in it, and names made from that. */
    const sameBuild: Same = (path, text) => (path.startsWith('target/') ? undefined : text);

    before(async () => {
      const crate = (name: string, more: string) =>
        `[package]\nname = "${name}"\nversion = "1.0.0"\nedition = "2021"\n${more}`;
      twins.write(
        'Cargo.toml',
        crate('mine', '[dependencies]\nvendored = "1.0.0"\nbeside = { path = "crates/beside" }\n'),
      );
      twins.write(
        'src/main.rs',
        'fn main() { println!("{}", vendored::sum(1, beside::ONE)); }\n#[test]\nfn sums() { assert_eq!(vendored::sum(1, 1), 2); }\n',
      );
      twins.write('crates/beside/Cargo.toml', crate('beside', ''));
      twins.write('crates/beside/src/lib.rs', 'pub const ONE: i32 = 1;\n');
      twins.write('vendor/vendored/Cargo.toml', crate('vendored', ''));
      twins.write('vendor/vendored/src/lib.rs', 'pub fn sum(a: i32, b: i32) -> i32 { a + b }\n');
      twins.write('vendor/vendored/.cargo-checksum.json', '{"files":{}}');
      // A repository in vendor is guarded as any other, and has the guard's own file while the server runs.
      for (const [path, text] of Object.entries(shippedIn('vendor/vendored')))
        if (!path.includes('/.git/')) twins.write(path, text);
      twins.write(
        '.cargo/config.toml',
        '[build]\nrustc = "/usr/bin/rustc"\n[source.crates-io]\nreplace-with = "vendored"\n[source.vendored]\ndirectory = "vendor"\n',
      );
      await startTwins(twins);
    });
    after(() => twins.stop());

    const LINES = [
      `${CARGO} build --offline`,
      `${CARGO} test --offline`,
      './target/debug/mine',
      `${CARGO} build --offline --release`,
      `${CARGO} clean`,
      `${CARGO} build --offline`,
      'rm -rf target',
    ];
    for (const line of LINES)
      it(`ends as outside: ${line}`, async function () {
        this.timeout(300_000);
        await twins.both(line, sameBuild);
        expect(existsSync(join(twins.folder, 'target'))).to.equal(existsSync(join(twins.outside, 'target')));
      });
  });
