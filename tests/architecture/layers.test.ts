import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { before, describe, it } from 'mocha';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PLANTED = 'tests/architecture/planted/src';

interface Violation {
  readonly from: string;
  readonly rule: { readonly name: string };
}

interface CruiseReport {
  readonly summary: { readonly totalCruised: number; readonly violations: readonly Violation[] };
}

/** The command itself, as `npm run check` runs it; its exit code is the number of errors. */
async function cruise(folder: string): Promise<CruiseReport['summary']> {
  const command = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const args = [command, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', folder];
  const options = { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  const report: CruiseReport = JSON.parse(stdout);
  return report.summary;
}

describe('the layers', () => {
  it('are kept by every file of src, and the files were really read', async () => {
    const { totalCruised, violations } = await cruise('src');
    expect(violations.map(({ from, rule }) => `${rule.name}: ${from}`)).to.deep.equal([]);
    expect(totalCruised).to.be.above(100);
  }).timeout(60_000);

  describe('are watched', () => {
    let found: readonly string[] = [];
    before(async function () {
      this.timeout(60_000);
      const { violations } = await cruise(PLANTED);
      found = violations.map(({ from, rule }) => `${rule.name}: ${from.slice(PLANTED.length + 1)}`);
    });

    const planted: readonly (readonly [string, string])[] = [
      ['domain-imports-only-domain', 'domain/imports-a-package.ts'],
      ['domain-imports-only-domain', 'domain/imports-node.ts'],
      ['domain-imports-only-domain', 'domain/imports-application.ts'],
      ['application-imports-inward', 'application/imports-node.ts'],
      ['application-imports-inward', 'application/imports-a-package.ts'],
      ['infrastructure-and-presentation-never-meet', 'infrastructure/imports-presentation.ts'],
      ['presentation-and-infrastructure-never-meet', 'presentation/imports-infrastructure.ts'],
      ['composition-is-never-imported-by-a-layer', 'infrastructure/imports-composition.ts'],
      ['composition-is-never-imported-by-a-layer', 'presentation/imports-composition.ts'],
      ['one-folder-knows-the-mcp-sdk', 'presentation/imports-the-sdk.ts'],
      ['no-cycles', 'infrastructure/cycle-one.ts'],
      ['no-unresolvable', 'presentation/imports-nothing-there.mjs'],
    ];
    for (const [rule, file] of planted) {
      it(`${rule} catches ${file}`, () => expect(found).to.include(`${rule}: ${file}`));
    }

    it('every rule is among them', () => {
      const config: { forbidden: { name: string }[] } = createRequire(import.meta.url)(
        '../../.dependency-cruiser.cjs',
      );
      const names = new Set(planted.map(([rule]) => rule));
      expect([...names]).to.have.members(config.forbidden.map(({ name }) => name));
    });

    for (const file of ['application/imports-inversify.ts', 'presentation/mcp/imports-the-sdk-too.ts']) {
      it(`nothing is said against ${file}`, () => {
        expect(found.filter((each) => each.endsWith(file))).to.deep.equal([]);
      });
    }
  });

  it('the domain imports no package, by the look of its import lines', () => {
    const folder = join(ROOT, 'src/domain');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.ts'),
    );
    expect(files.length).to.be.above(10);
    for (const file of files) {
      const text = readFileSync(join(folder, file), 'utf8');
      const imported = [
        ...text.matchAll(/^import\b[^;']*'([^']+)'|(?:^[^'\n]*\bfrom |\b(?:import|require)\()'([^']+)'/gm),
      ].map(([, named, loaded]) => named ?? loaded);
      expect(
        imported.filter((specifier) => !specifier?.startsWith('.')),
        file,
      ).to.deep.equal([]);
      expect(text, file).not.to.match(/\bprocess\.|\bDate\.now\(|Math\.random\(/);
    }
  });
});
