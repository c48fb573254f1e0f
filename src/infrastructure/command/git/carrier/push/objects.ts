import { createHash, randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { deflateSync, inflateSync } from 'node:zlib';
import { CANNOT_LINK, codeOf } from '../sides/file-steps.js';
import type { HeldTree } from '../sides/held-tree.js';
import { join } from '../sides/refs.js';
import { trustedGit } from '../trusted-git.js';

/** git puts larger blobs into packs. */
const MAX_OBJECT = 640 * 1024 * 1024;
const MAX_PACK = 8 * 1024 ** 3;
const FOLDER = /^[0-9a-f]{2}$/;
const REST = /^(?:[0-9a-f]{38}|[0-9a-f]{62})$/;
const PACK = /^pack-([0-9a-f]{40,64})\.pack$/;
const HEADER = /^(?:blob|tree|commit|tag) (\d+)$/;
const MAX_NOTES = 20;

/**
 * Carries objects from a private store to the real one: copied, never linked, each checked against its name, none ever
 * replaced. What is in the real store is then removed from the private one, whose git finds it there.
 */
export class ObjectCarrier {
  constructor(
    private readonly inside: HeldTree,
    private readonly real: string,
    private readonly isPromised: boolean,
  ) {}

  /** Sentences about what is not as it should be. */
  carry(unit: string, isBorrowing: boolean): readonly string[] {
    const objects = join(unit, 'objects');
    const done: string[] = [];
    const notes: string[] = [];
    for (const folder of this.inside.list(objects)) {
      if (!folder.isDirectory() || !FOLDER.test(folder.name)) continue;
      for (const file of this.inside.list(`${objects}/${folder.name}`)) {
        if (!file.isFile() || !REST.test(file.name)) continue;
        const path = `${objects}/${folder.name}/${file.name}`;
        if (this.#carryLoose(path, folder.name, file.name)) done.push(path);
        else notes.push(`The object ${folder.name}${file.name} is not what its name says and stays inside.`);
      }
    }
    for (const file of this.inside.list(`${objects}/pack`))
      if (file.isFile() && PACK.test(file.name))
        this.#carryPack(`${objects}/pack/${file.name}`, unit, done, notes);
    if (isBorrowing) for (const path of done) this.inside.remove(path);
    return notes.slice(0, MAX_NOTES);
  }

  #carryLoose(path: string, folder: string, rest: string): boolean {
    const unit = path.slice(0, path.indexOf('objects/'));
    const place = `${this.real}/${unit}objects/${folder}`;
    if (existsSync(`${place}/${rest}`)) return true;
    const bytes = this.inside.read(path, MAX_OBJECT);
    const data = bytes && objectIn(bytes, folder + rest);
    if (data === undefined) return false;
    mkdirSync(place, { recursive: true });
    const draft = `${place}/tmp_obj_${randomBytes(8).toString('hex')}`;
    try {
      // Packed by us: the bytes inside may be packed in a way that git stumbles over.
      writeFileSync(draft, deflateSync(data, { level: 1 }), { mode: 0o444, flag: 'wx' });
      // Not renamed: that would replace one that came meanwhile.
      linkUnlessThere(draft, `${place}/${rest}`);
    } finally {
      rmSync(draft, { force: true });
    }
    return true;
  }

  /** Only the pack itself: git makes its index anew, and nothing else that lies beside it counts. */
  #carryPack(path: string, unit: string, done: string[], notes: string[]): void {
    const stem = path.slice(0, -'.pack'.length);
    const promised = this.isPromised && this.inside.stat(`${stem}.promisor`)?.isFile() === true;
    const args = [
      'index-pack',
      '--stdin',
      '--fix-thin',
      `--max-input-size=${MAX_PACK}`,
      ...(promised ? ['--promisor'] : []),
    ];
    const folder = unit === '' ? this.real : `${this.real}/${unit}`;
    const answer = this.inside.open(path, (inputFile) => trustedGit(args, { folder, inputFile }));
    if (answer === undefined) return;
    if (answer.isDone)
      done.push(...['pack', 'idx', 'rev', 'promisor', 'bitmap', 'mtimes'].map((end) => `${stem}.${end}`));
    else notes.push(`A pack of objects stays inside: ${answer.complaint}`);
  }
}

function linkUnlessThere(draft: string, place: string): void {
  try {
    linkSync(draft, place);
  } catch (error) {
    if (existsSync(place)) return;
    if (!CANNOT_LINK.has(codeOf(error))) throw error;
    renameSync(draft, place);
  }
}

/** What the bytes hold, if that is an object of this name. */
function objectIn(bytes: Buffer, name: string): Buffer | undefined {
  try {
    const data = inflateSync(bytes, { maxOutputLength: MAX_OBJECT });
    const end = data.indexOf(0);
    const [, length] = HEADER.exec(data.subarray(0, Math.min(end, 64)).toString('latin1')) ?? [];
    if (length === undefined || Number(length) !== data.length - end - 1) return undefined;
    const hash = createHash(name.length === 40 ? 'sha1' : 'sha256')
      .update(data)
      .digest('hex');
    return hash === name ? data : undefined;
  } catch {
    // Not compressed, or to more than an object may have.
    return undefined;
  }
}
