import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = /^(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//;
const LICENCE = /^(?:licen[cs]e|copying|notice)/i;

/** Name, version and licence of every package that is in a bundle by these of its files, relative to `root`. */
export function noticesOf(root: string, files: readonly string[]): string {
  const folders = [...new Set(files.flatMap((file) => PACKAGE.exec(file)?.[1] ?? []))].sort();
  return folders.map((folder) => noticeOf(join(root, folder))).join(`\n${'-'.repeat(80)}\n\n`);
}

function noticeOf(folder: string): string {
  const about: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder).filter((name) => LICENCE.test(name));
  const words = texts.map((name) => readFileSync(join(folder, name), 'utf8').trim());
  return `${textOf(about, 'name')} ${textOf(about, 'version')}\n\n${words.join('\n\n') || textOf(about, 'license')}\n`;
}

function textOf(about: unknown, key: string): string {
  const value: unknown = typeof about === 'object' && about !== null ? Reflect.get(about, key) : undefined;
  if (typeof value === 'string') return value;
  throw new Error(`A package that is bundled does not say its ${key}: ${JSON.stringify(about)}`);
}
