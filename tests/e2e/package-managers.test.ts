import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PackageRegistry, SHIPPED } from '../support/package-registry.js';
import { TwinProjects } from '../support/twin-projects.js';

const PACKAGES = 20;
const nameOf = (index: number): string => `shipped-${String(index).padStart(2, '0')}`;

function fill(registry: PackageRegistry): void {
  const files = Object.entries(SHIPPED);
  for (let index = 1; index <= PACKAGES; index += 1) {
    // Each has some of the names, the first all of them.
    const some = files.filter((_, at) => index === 1 || (at + index) % 3 !== 0);
    for (const version of ['1.0.0', '1.1.0'])
      registry.add(nameOf(index), version, Object.fromEntries(some), {
        bin: { [nameOf(index)]: 'bin/run.js' },
      });
  }
}

const POLICY = `version: 1
extends: [builtin:workspace]
also_allow:
  - { tool: execute_command, command: [npm], network: full }
`;

describe('package managers in their own folders', () => {
  const registry = new PackageRegistry();
  const twins = new TwinProjects();

  before(async () => {
    fill(registry);
    await registry.listen();
    const dependencies = Object.fromEntries(
      Array.from({ length: PACKAGES }, (_, index) => [nameOf(index + 1), '1.0.0']),
    );
    twins.write(
      'package.json',
      `${JSON.stringify({ name: 'mine', version: '1.0.0', scripts: { build: 'node build.js', test: 'node test.js' }, dependencies }, null, 2)}\n`,
    );
    twins.write(
      'build.js',
      "require('fs').mkdirSync('dist', { recursive: true }); require('fs').writeFileSync('dist/a.js', require('shipped-01'));\n",
    );
    twins.write('test.js', "require('assert').equal(require('shipped-02').split('@')[0], 'shipped-02');\n");
    twins.write(
      'read.js',
      "for (const name of ['.env', 'test/server.pem']) if (!require('fs').readFileSync(`node_modules/shipped-01/${name}`).length) process.exit(1);\n",
    );
    twins.write('.env', 'SECRET=mine\n');
    const policy = join(twins.folder, '..', 'policy.yaml');
    writeFileSync(policy, POLICY);
    await twins.start(policy);
  });

  after(async () => {
    await twins.stop();
    await registry.close();
  });

  const LINES = [
    'npm install --registry=REGISTRY',
    'npm ci --registry=REGISTRY',
    'npm run build',
    'npm test',
    'npm uninstall shipped-03 shipped-01 --registry=REGISTRY',
    'npm install shipped-01@1.1.0 --registry=REGISTRY',
    'npm update shipped-02 --registry=REGISTRY',
    'node read.js',
    'npm ci --registry=REGISTRY',
    'rm -rf node_modules/shipped-04',
    'rm -rf node_modules',
  ];
  for (const line of LINES) {
    it(`end as outside: ${line}`, async function () {
      this.timeout(60_000);
      const command = line.replaceAll('REGISTRY', registry.url);
      await twins.both(command);
      expect(twins.trees((_, text) => text)[0].length).to.be.above(2);
    });
  }
});
