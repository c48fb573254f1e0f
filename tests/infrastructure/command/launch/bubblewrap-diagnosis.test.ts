import { expect } from 'chai';
import { describe, it } from 'mocha';
import {
  diagnose,
  type HostFacts,
} from '../../../../src/infrastructure/command/launch/bubblewrap-diagnosis.js';
import { CANNOT_LOOK } from '../../../../src/infrastructure/command/launch/namespace-helper.js';

const PLAIN: HostFacts = {
  release: '6.1.0-13-amd64',
  apparmorRestricts: false,
  userNamespacesOff: false,
  inContainer: false,
};
const REFUSED = 'bwrap: setting up uid map: Permission denied\n';

describe('What doctor says about a bubblewrap that does not work', () => {
  const cases: readonly (readonly [string, Partial<HostFacts>, RegExp, RegExp])[] = [
    ['WSL 1', { release: '4.4.0-19041-Microsoft' }, /WSL 1/, /wsl --set-version/],
    ['Ubuntu 24.04', { apparmorRestricts: true }, /AppArmor/, /bwrap-userns-restrict/],
    ['a container', { inContainer: true }, /container/, /--security-opt/],
    ['a kernel with the switch off', { userNamespacesOff: true }, /switched off/, /sysctl/],
    ['anything else', {}, /setting up uid map: Permission denied/, /bwrap --unshare-all/],
  ];
  for (const [name, facts, reason, remedy] of cases) {
    it(`recognises ${name} and says what to do`, () => {
      const found = diagnose(REFUSED, { ...PLAIN, ...facts });
      expect(found.reason).to.match(reason);
      expect(found.remedy).to.match(remedy);
    });
  }

  it('tells a container without CAP_SYS_PTRACE from one without namespaces', () => {
    const found = diagnose(`The command was not run: ${CANNOT_LOOK}`, { ...PLAIN, inContainer: true });
    expect(found.reason).to.equal(CANNOT_LOOK);
    expect(found.remedy).to.include('--cap-add SYS_PTRACE');
  });

  it('does not take WSL 2 for WSL 1', () => {
    expect(diagnose(REFUSED, { ...PLAIN, release: '5.15.0-microsoft-standard-WSL2' }).reason).not.to.match(
      /WSL 1/,
    );
  });
});
