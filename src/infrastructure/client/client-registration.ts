import { Result } from '../../domain/result.js';
import type { ClientFile } from './client-files.js';
import { type EntryPlace, withJsonEntry, withoutJsonEntry } from './json-entry.js';
import type { ServerEntry } from './server-entry.js';
import { withoutTomlEntry, withTomlEntry } from './toml-entry.js';

/** The entry of one server in the file of one client. */
export class ClientRegistration {
  constructor(
    private readonly file: ClientFile,
    private readonly name: string,
  ) {}

  async add(text: string, entry: ServerEntry): Promise<Result<string>> {
    const change = this.file.format === 'json' ? withJsonEntry : withTomlEntry;
    return change(text, this.#place, entry);
  }

  async remove(text: string): Promise<Result<string>> {
    const change = this.file.format === 'json' ? withoutJsonEntry : withoutTomlEntry;
    return change(text, this.#place);
  }

  get #place(): EntryPlace {
    return { file: this.file.path, under: this.file.under, name: this.name };
  }
}
