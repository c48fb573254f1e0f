import { expect } from 'chai';
import { describe, it } from 'mocha';
import {
  pathEntry,
  suggestEntry,
  toolEntry,
} from '../../../../src/domain/permission/policy/suggested-entry.js';

const NOTHING = ' Tell the user which permission is missing.';

describe('The entry that a hint suggests', () => {
  it('is repeated whole, or not at all', () => {
    expect(suggestEntry('tools: {}')).to.include('the policy needs `tools: {}`');
    expect(suggestEntry('x'.repeat(300))).to.include('x'.repeat(300));
    expect(suggestEntry('x'.repeat(301))).to.equal(NOTHING);
    expect(suggestEntry(undefined)).to.equal(NOTHING);
  });

  it('names a path as the policy would, with its wildcards as they are', () => {
    const entry = (path: string) => pathEntry('read_file', path, '/w');
    expect(entry('/w/a')).to.equal('tools: { read_file: { allowed_paths: ["a"] } }');
    expect(entry('/w')).to.include('["."]');
    expect(entry('/wx')).to.include('["/wx"]');
    expect(entry('/w/[a]*')).to.include(JSON.stringify('\\[a\\]\\*'));
  });

  it('is the least that lets a call be decided on its arguments', () => {
    expect(toolEntry('echo', [])).to.equal('tools: { echo: {} }');
    expect(toolEntry('execute_command', ['command'])).to.include('allowed_commands: ["*"]');
    expect(toolEntry('read_file', ['read'])).to.include('allowed_paths: ["."]');
  });
});
