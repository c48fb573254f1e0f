import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { VARIABLES } from '../../scripts/reference/environment-page.js';

/** Read by the code, and for tests or other programs alone. */
const INTERNAL = new Set(['CASTELLAN_FILE_FAULT']);

function variablesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap(
      (name) => readFileSync(`${folder}/${name}`, 'utf8').match(/\bCASTELLAN_[A-Z]+(?:_[A-Z]+)*\b/g) ?? [],
    );
}

describe('the reference page of environment variables', () => {
  it('has every variable that the server reads', () => {
    const listed = new Set(VARIABLES.flatMap(({ names }) => names));
    const missing = [...new Set(variablesOf('src'))].filter(
      (name) => !INTERNAL.has(name) && !listed.has(name),
    );
    expect(missing).to.deep.equal([]);
  });
});

describe('the decision records', () => {
  it('have a number each, here and among those that are shipped as examples', () => {
    const numbers = ['docs/adr', 'config/knowledge/adr']
      .flatMap((folder) => readdirSync(folder))
      .filter((name) => /^\d{4}-/.test(name))
      .map((name) => name.slice(0, 4));
    expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).to.deep.equal([]);
  });
});
