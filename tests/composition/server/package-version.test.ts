import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { packageVersion } from '../../../src/composition/server/package-version.js';

describe('packageVersion', () => {
  it('is the version in package.json', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
    expect(packageVersion).to.equal(version);
  });
});
