import { join } from 'node:path';
import { FlagStore } from '../../src/application/ports/flag/flag-store.js';
import { LanguageModel } from '../../src/application/ports/model/language-model.js';
import type { Castellan } from '../../src/composition/server/castellan.js';
import { createCastellan } from '../../src/composition/server/create-castellan.js';
import { InMemoryFlagStore } from '../../src/testing/in-memory-flag-store.js';
import { ScriptedLanguageModel } from '../../src/testing/scripted-language-model.js';
import { TemporaryDisk } from './temporary-disk.js';

const SETTINGS = `
project: { name: example }
categories:
  guidelines: { dir: docs/guidelines, patterns: ["**/*.md"], description: How we work }
  patterns: { dir: docs/patterns }
  adr: { dir: docs/adr, patterns: ["*.md"] }
`;

const POLICY = `
version: 1
extends: [builtin:workspace]
tools:
  delete_path: { allowed_paths: ["."], consent: never }
  claude_conversation: {}
  set_project_flag: {}
  set_feature_flag: {}
  create_document: { allowed_paths: [docs] }
  update_document: { allowed_paths: [docs], denied_paths: [docs/guidelines/frozen.md] }
  delete_document: { allowed_paths: [docs], consent: never }
`;

/** A workspace in which every example of every tool is a call that succeeds. */
export class ExampleWorkspace {
  readonly disk = new TemporaryDisk();

  constructor() {
    const { disk } = this;
    disk.file(join(disk.root, 'settings.yaml'), SETTINGS);
    disk.file(join(disk.root, 'policy.yaml'), POLICY);
    for (const name of ['writing-tools', 'outdated', 'frozen']) {
      disk.file(join(disk.root, `docs/guidelines/${name}.md`), `# ${name}\n\nA tool returns its failures.\n`);
    }
    for (const name of ['failure-as-a-value', 'port-and-adapter']) {
      disk.file(join(disk.root, `docs/patterns/${name}.md`), `# ${name}\n\nReturn a Result.\n`);
    }
    disk.file(join(disk.root, 'docs/adr/0001-start.md'), '# Start-up time\n');
    disk.file(join(disk.root, 'README.md'), '# Sample\n');
    disk.file(join(disk.root, 'dist/app.min.js'), `${'let a=1;'.repeat(500)}\n`);
    const lines = `export function main() {}\n${'// line\n'.repeat(39)}`;
    disk.file(join(disk.root, 'src/index.ts'), `export const one = 1;\n${lines}`);
  }

  open(): Promise<Castellan> {
    return createCastellan({
      workspace: this.disk.root,
      config: join(this.disk.root, 'settings.yaml'),
      policy: join(this.disk.root, 'policy.yaml'),
      logLevel: 'silent',
      configure: (container) => {
        container.rebind(FlagStore).toConstantValue(new InMemoryFlagStore());
        container.rebind(LanguageModel).toConstantValue(new ScriptedLanguageModel('An answer.'));
      },
      environment: { ...process.env, XDG_STATE_HOME: this.disk.state },
    });
  }

  dispose(): void {
    this.disk.dispose();
  }
}
