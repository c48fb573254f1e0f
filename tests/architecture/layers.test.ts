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

interface CruisedModule {
  readonly source: string;
  readonly dependencies: readonly { readonly resolved: string }[];
}

interface CruiseReport {
  readonly modules: readonly CruisedModule[];
  readonly summary: { readonly violations: readonly Violation[] };
}

/** The command itself, as `npm run check` runs it, over the sources and what was planted. */
async function cruise(): Promise<CruiseReport> {
  const command = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const args = [command, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'src', PLANTED];
  const options = { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  return JSON.parse(stdout);
}

/**
 * `src/domain/flag/flag.ts` belongs to `domain/flag`; a file directly in a layer belongs to no concept. What a call is
 * and what it goes through are two: ports know the first.
 */
function conceptOf(path: string): string | undefined {
  return /^src\/(application\/call\/pipeline|(?:domain|application|infrastructure|presentation)\/[^/]+)\//.exec(
    path,
  )?.[1];
}

/** Concepts of one layer that can be reached from themselves through others. */
function circularConcepts(modules: readonly CruisedModule[]): readonly string[] {
  const uses = new Map<string, Set<string>>();
  for (const { source, dependencies } of modules) {
    const from = conceptOf(source);
    for (const { resolved } of dependencies) {
      const to = conceptOf(resolved);
      if (from === undefined || to === undefined || from === to) continue;
      if (from.split('/')[0] !== to.split('/')[0]) continue;
      uses.set(from, (uses.get(from) ?? new Set()).add(to));
    }
  }
  const reaches = (from: string, wanted: string, seen: Set<string>): boolean =>
    [...(uses.get(from) ?? [])].some((next) => {
      if (next === wanted) return true;
      return !seen.has(next) && reaches(next, wanted, seen.add(next));
    });
  return [...uses.keys()].filter((concept) => reaches(concept, concept, new Set()));
}

describe('the layers', () => {
  let report: CruiseReport;
  const isPlanted = (path: string): boolean => path.startsWith(PLANTED);

  before(async function () {
    this.timeout(120_000);
    report = await cruise();
  });

  it('are kept by every file of src, and the files were really read', () => {
    const violations = report.summary.violations.filter(({ from }) => !isPlanted(from));
    expect(circularConcepts(report.modules), 'concepts that use each other').to.deep.equal([]);
    expect(violations.map(({ from, rule }) => `${rule.name}: ${from}`)).to.deep.equal([]);
    expect(report.modules.filter(({ source }) => source.startsWith('src/')).length).to.be.above(100);
  });

  it('concepts that use each other would be found, also by way of a third', () => {
    const module = (source: string, ...resolved: readonly string[]): CruisedModule => ({
      source: `src/domain/${source}.ts`,
      dependencies: resolved.map((name) => ({ resolved: `src/domain/${name}.ts` })),
    });
    const straight = [module('a/x', 'b/x', 'shared'), module('b/x', 'c/x'), module('c/x')];
    expect(circularConcepts(straight)).to.deep.equal([]);
    expect(circularConcepts([...straight, module('c/y', 'a/y')])).to.have.members([
      'domain/a',
      'domain/b',
      'domain/c',
    ]);
  });

  describe('are watched', () => {
    let found: readonly string[] = [];
    before(() => {
      found = report.summary.violations
        .filter(({ from }) => isPlanted(from))
        .map(({ from, rule }) => `${rule.name}: ${from.slice(PLANTED.length + 1)}`);
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
      ['commands-know-no-permission', 'domain/command/imports-permission.ts'],
      ['ports-know-the-domain-and-a-call', 'application/ports/imports-a-concept.ts'],
      ['ports-know-the-domain-and-a-call', 'application/ports/imports-the-pipeline.ts'],
      ['permission-knows-no-tool', 'application/permission/imports-tool.ts'],
      ['commands-program-knows-its-rooms', 'infrastructure/command/program/imports-process.ts'],
      ['commands-process-knows-its-rooms', 'infrastructure/command/process/imports-launch.ts'],
      ['commands-mounts-knows-its-rooms', 'infrastructure/command/mounts/imports-launch.ts'],
      ['commands-feedback-knows-its-rooms', 'infrastructure/command/feedback/imports-mounts.ts'],
      ['commands-launch-knows-its-rooms', 'infrastructure/command/launch/imports-session.ts'],
      ['commands-workspace-knows-its-rooms', 'infrastructure/command/workspace/imports-git.ts'],
      ['commands-network-knows-its-rooms', 'infrastructure/command/network/imports-session.ts'],
      ['commands-session-knows-its-rooms', 'infrastructure/command/session/imports-sandbox.ts'],
      ['commands-git-knows-its-rooms', 'infrastructure/command/git/imports-sandbox.ts'],
      ['commands-unsandboxed-knows-its-rooms', 'infrastructure/command/unsandboxed/imports-sandbox.ts'],
      ['commands-sandbox-knows-its-rooms', 'infrastructure/command/sandbox/imports-git.ts'],
      ['state-knows-nobody', 'infrastructure/state/imports-an-adapter.ts'],
      ['one-way-to-the-files-of-a-workspace', 'infrastructure/knowledge/opens-a-file.ts'],
      ['one-way-to-the-files-of-a-workspace', 'infrastructure/prompt/reads-as-the-server.ts'],
      ['one-way-to-the-files-of-a-workspace', 'presentation/resources/makes-its-own-access.ts'],
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
