import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { ToolRegistry } from '../../src/application/ports/tool/tool-registry.js';
import { mustFail, mustValue, runnable } from '../support/sample-tool.js';

/** What every ToolRegistry must do. `make` gives an empty one for a server with this prefix. */
export function toolRegistryContract(name: string, make: (prefix: string) => ToolRegistry): void {
  describe(`${name} is a ToolRegistry`, () => {
    it('S4-15: register, get, unregister', () => {
      const registry = make('');
      const echo = runnable({ name: 'echo' });
      expect(registry.get('echo')).to.equal(undefined);
      expect(mustValue(registry.register(echo))).to.equal(echo);
      expect(registry.get('echo')).to.equal(echo);
      expect(registry.unregister('echo')).to.equal(true);
      expect(registry.unregister('echo')).to.equal(false);
      expect(registry.get('echo')).to.equal(undefined);
    });

    it('S4-15: lists all, by category, and what is enabled', () => {
      const registry = make('');
      const [read, echo] = [runnable({ name: 'read', category: 'file' }), runnable({ name: 'echo' })];
      registry.register(read);
      registry.register(echo);
      expect(registry.list()).to.deep.equal([echo, read]);
      expect(registry.list('file')).to.deep.equal([read]);
      echo.tool.disable();
      expect(registry.listEnabled()).to.deep.equal([read]);
      expect(registry.list()).to.have.length(2);
      echo.tool.enable();
      expect(registry.listEnabled()).to.have.length(2);
    });

    it('S3-09: lists sorted by name, again after each change', () => {
      const registry = make('');
      for (const each of ['c', 'a', 'b']) registry.register(runnable({ name: each }));
      registry.unregister('b');
      registry.register(runnable({ name: 'ab' }));
      expect(registry.list().map(({ tool }) => String(tool.name))).to.deep.equal(['a', 'ab', 'c']);
    });

    it('S3-08: refuses a second tool of the same name and keeps the first', () => {
      const registry = make('');
      const first = runnable({ name: 'echo' });
      registry.register(first);
      const refused = mustFail(registry.register(runnable({ name: 'echo' })));
      expect(refused.errorType).to.equal('DuplicateTool');
      expect(refused.error).to.contain('Unregister it first');
      expect(registry.get('echo')).to.equal(first);
      expect(registry.list()).to.have.length(1);
    });

    it('S3-08: refuses names that only differ in separators, in the prefix or by a former name', () => {
      const registry = make('guide');
      registry.register(runnable({ name: 'read_file', aliases: ['load_file'] }));
      for (const each of ['readfile', 'guide_read_file', 'load_file', 'guidereadfile']) {
        expect(mustFail(registry.register(runnable({ name: each }))).errorType, each).to.equal(
          'DuplicateTool',
        );
      }
      expect(
        mustFail(registry.register(runnable({ name: 'other', aliases: ['ReadFile'] }))).errorType,
      ).to.equal('DuplicateTool');
      registry.unregister('read_file');
      expect(registry.register(runnable({ name: 'readfile' })).success).to.equal(true);
    });

    it('S0-27, S1-06: finds a tool decorated or not, by any separator and by a former name', () => {
      const registry = make('guide');
      const tool = runnable({ name: 'read_file', aliases: ['load_file'] });
      registry.register(tool);
      for (const each of [
        'read_file',
        'guide_read_file',
        'read-file',
        'read.file',
        'ReadFile',
        'load_file',
      ]) {
        expect(registry.get(each), each).to.equal(tool);
      }
    });

    it('knows no names but those that were registered', () => {
      const registry = make('');
      registry.register(runnable({ name: 'echo' }));
      for (const each of [
        '',
        '_',
        'constructor',
        '__proto__',
        'prototype',
        'toString',
        'ech',
        'x'.repeat(1e6),
      ]) {
        expect(registry.get(each)).to.equal(undefined);
        expect(registry.unregister(each)).to.equal(false);
      }
    });

    it('tells its listeners of each change, until they stop', () => {
      const registry = make('');
      let changes = 0;
      const stop = registry.onChange(() => {
        changes += 1;
      });
      registry.register(runnable({ name: 'echo' }));
      registry.register(runnable({ name: 'echo' }));
      registry.unregister('nothing');
      expect(changes).to.equal(1);
      registry.unregister('echo');
      expect(changes).to.equal(2);
      stop();
      registry.register(runnable({ name: 'echo' }));
      expect(changes).to.equal(2);
    });

    it('S3-10: callers that interleave see each tool once and no half change', async () => {
      const registry = make('');
      const names = Array.from({ length: 200 }, (_, n) => `t${n}`);
      const results = await Promise.all(
        [...names, ...names].map(async (each, n) => {
          if (n % 3 === 0) await null;
          return registry.register(runnable({ name: each })).success;
        }),
      );
      expect(results.filter(Boolean)).to.have.length(200);
      expect(new Set(registry.list().map(({ tool }) => tool.name)).size).to.equal(200);
    });
  });
}
