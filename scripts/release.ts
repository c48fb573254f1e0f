/**
 * `npm run release`: writes the version and CHANGELOG.md from the changesets, builds, checks the package and publishes
 * it. `npm run release -- --dry-run` does all of it but leaves nothing changed and publishes nothing.
 *
 * Fields that need a public address are not invented: what is missing is named, and nothing is published without.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const CHANGESETS = join(root, '.changeset');
const MOST_PACKED_BYTES = 3_000_000;

/** What package.json must have before anybody can install it from a registry. */
const PUBLIC_FIELDS = ['repository', 'bugs', 'homepage', 'mcpName'] as const;

interface Change {
  readonly file: string;
  readonly text: string;
}

function changes(): readonly Change[] {
  return readdirSync(CHANGESETS)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .sort()
    .map((file) => {
      const text = readFileSync(join(CHANGESETS, file), 'utf8').replace(/^---\n[\s\S]*?\n---\n/, '');
      return { file, text: text.trim() };
    });
}

/** One entry a changeset; paragraphs below the first are indented so that they stay part of it. */
export function changelogSection(version: string, all: readonly { readonly text: string }[]): string {
  const entries = all.map(({ text }) => `- ${text.replaceAll(/\n(?=[^\n])/g, '\n  ')}`);
  return `## ${version}\n\n${entries.join('\n\n')}\n`;
}

export function missingFields(manifest: Readonly<Record<string, unknown>>): readonly string[] {
  return PUBLIC_FIELDS.filter((field) => manifest[field] === undefined);
}

function run(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  if (status === 0) return stdout;
  throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`);
}

function packedBytes(): number {
  const [packed] = JSON.parse(run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts']));
  return packed.size;
}

function main(dryRun: boolean): number {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const all = changes();
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const section = changelogSection(manifest.version, all);
  console.log(`${manifest.name} ${manifest.version}: ${all.length} changesets`);
  if (dryRun) console.log(`\n${section}`);
  run('npm', ['run', 'build', '--silent']);
  run('node', ['dist/main.js', 'docs', '--check']);
  const size = packedBytes();
  console.log(`packed: ${size} bytes (at most ${MOST_PACKED_BYTES})`);
  if (size > MOST_PACKED_BYTES) throw new Error('The package is too large: look at `npm pack --dry-run`.');
  const server = JSON.parse(readFileSync(join(root, 'server.json'), 'utf8'));
  const missing = [
    ...missingFields(manifest),
    ...(server.name === manifest.mcpName ? [] : ['the name of server.json, which is mcpName']),
  ];
  if (missing.length > 0) {
    console.error(`package.json lacks ${missing.join(', ')}: they need the public address of the project.`);
    console.error(
      'Nothing was published. Add them, and the same address to server.json, then run this again.',
    );
    return 3;
  }
  if (dryRun) {
    console.log('Dry run: nothing was changed or published.');
    return 0;
  }
  writeFileSync(join(root, 'CHANGELOG.md'), changelog.replace(/^# Changelog\n/, `# Changelog\n\n${section}`));
  for (const { file } of all) rmSync(join(CHANGESETS, file));
  console.log(run('npm', ['publish', '--provenance', '--access', 'public']));
  return 0;
}

if (import.meta.filename === process.argv[1]) process.exitCode = main(process.argv.includes('--dry-run'));
