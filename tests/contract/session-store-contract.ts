import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { SessionStore } from '../../src/application/ports/session/session-store.js';
import { LOCAL_STDIO } from '../../src/domain/session/caller.js';
import { Session } from '../../src/domain/session/session.js';

/** What every SessionStore must do. */
export function sessionStoreContract(name: string, make: () => SessionStore): void {
  describe(`${name} is a SessionStore`, () => {
    it('gives back the very session that was added, by its id', () => {
      const store = make();
      const [a, b] = [Session.create('a', LOCAL_STDIO), Session.create('b', LOCAL_STDIO)];
      store.add(a);
      store.add(b);
      expect(store.get('a')).to.equal(a);
      expect(store.get('b')).to.equal(b);
    });

    it('knows nothing of sessions never opened, whatever they are called', () => {
      const store = make();
      for (const id of ['', 'a', '__proto__', 'constructor']) expect(store.get(id)).to.equal(undefined);
    });

    it('forgets what was removed, and does not mind being told twice', () => {
      const store = make();
      store.add(Session.create('a', LOCAL_STDIO));
      store.remove('a');
      store.remove('a');
      expect(store.get('a')).to.equal(undefined);
    });
  });
}
