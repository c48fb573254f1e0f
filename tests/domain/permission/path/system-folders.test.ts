import { expect } from 'chai';
import {
  belongsToMachine,
  holdsSystemPrograms,
  isSystemFile,
  SYSTEM_FOLDERS,
} from '../../../../src/domain/permission/path/system-folders.js';

describe('System folders', () => {
  it('are read by every command and belong to the machine, with everything below them', () => {
    for (const folder of SYSTEM_FOLDERS) {
      for (const path of [folder, `${folder}/x/y`]) {
        expect([path, isSystemFile(path), holdsSystemPrograms(path), belongsToMachine(path)]).to.deep.equal([
          path,
          true,
          true,
          true,
        ]);
      }
      expect(isSystemFile(`${folder}-mine/x`), folder).to.equal(false);
    }
  });

  it('hold programs that packages bring along in /opt, which commands are not shown', () => {
    expect(holdsSystemPrograms('/opt/tool/bin/tool')).to.equal(true);
    expect(isSystemFile('/opt/tool/bin/tool')).to.equal(false);
    expect(belongsToMachine('/opt/project')).to.equal(false);
  });

  it('leave the rest of the disk to the policy', () => {
    for (const path of ['/home/me/x', '/srv/www', '/tmp/x', '/nix', '/', '/etcetera'])
      expect([path, isSystemFile(path), holdsSystemPrograms(path)]).to.deep.equal([path, false, false]);
    expect(isSystemFile('/etc/hosts')).to.equal(true);
    expect(holdsSystemPrograms('/etc/x')).to.equal(false);
  });
});
