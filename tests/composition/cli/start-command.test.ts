import { expect } from 'chai';
import { describe, it } from 'mocha';
import { startCommand } from '../../../src/composition/cli/start-command.js';

describe('how a client starts the program again', () => {
  it('is where it lies', () => {
    expect(startCommand('/opt/castellan/dist/main.js')).to.deep.equal([
      'node',
      '/opt/castellan/dist/main.js',
    ]);
    expect(startCommand(undefined)).to.deep.equal(['castellan']);
  });

  it('is never in the cache of a package runner', () => {
    for (const cached of [
      '/root/.npm/_npx/0a1b/node_modules/.bin/castellan',
      'C:\\Users\\u\\AppData\\Local\\npm-cache\\_npx\\0a1b\\node_modules\\castellan\\dist\\main.js',
      '/root/.cache/pnpm/dlx-123/node_modules/castellan/dist/main.js',
      '/root/.cache/pnpm/dlx/abc/node_modules/castellan/dist/main.js',
      '/tmp/bunx-0-castellan/node_modules/castellan/dist/main.js',
    ]) {
      expect(startCommand(cached), cached).to.deep.equal(['npx', '-y', 'castellan']);
    }
  });
});
