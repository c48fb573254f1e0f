import { expect } from 'chai';
import { describe, it } from 'mocha';
import { decide, policyOf, verdict } from '../../../support/policy-bench.js';

const DENIED = `
tools:
  execute_command:
    allowed_commands: ["*"]
    denied_commands:
      - rm
      - { command: [git, push] }
      - { command: [git, commit], any: [--no-verify, -n] }
      - { command: [npm, [publish, unpublish]] }
      - { command: [terraform, [apply, destroy]] }
      - { command: [docker, [rm, push]] }
      - { command: [kubectl, delete] }
      - { command: [cargo, publish] }
      - { command: [go, run] }
      - { command: [aws, s3, rm] }
      - { command: [gcloud, compute, instances, delete] }
      - { command: [systemctl, stop] }
      - { command: [curl], any: [--insecure, -k] }
      - { command: [terraform, plan], any: [-destroy] }
`;

const REFUSED = `
git push
git -C . push
git --no-pager push
git -c x=y push
git -cx=y push
git --git-dir .git push
git --git-dir=.git --work-tree . push
git -C a -C b -c c=d push origin
git --exec-path push
git -p push
/usr/bin/git -C . push
env git push
env -i git -C . push
env A=1 git --no-pager push
timeout 5 git -C . push
nice -n 5 timeout 5 env git -P push
sudo git -C . push
bash -c 'git -C . push'
sh -c 'cd a && git --no-pager push'
echo push | xargs git
echo origin | xargs git push
echo push | xargs -I{} git {}
echo x | xargs -I push git push
git -c alias.p=push p
git -c alias.p='!git push' p
git -calias.p='push --all' p
git p
git psuh
find . -name x -exec git push \\;
find . -exec git -C {} push \\;
parallel git push ::: a
strace git push
script -qc 'git push' /dev/null
npm -s publish
npm publish
npm --prefix x publish
npm --registry=x publish
npm publ
npm pub
npm --silent -w a unpublish
npm unpub
terraform -chdir=x apply
terraform -chdir x apply
terraform destroy
terraform -chdir=a plan -destroy
terraform plan --destroy
docker --context x rm a
docker -H tcp://x rm a
docker container rm a
docker image push a
docker --config d container rm a
kubectl -n x delete pod a
kubectl --namespace=x delete pod a
kubectl --context c -n x delete pod a
cargo +nightly publish
cargo --config a=b publish
cargo -Z x +stable publish
go -C d run .
aws --profile p s3 rm s3://x
aws s3 --profile p rm s3://x
aws --output json s3 --region r rm s3://x
gcloud --project p compute instances delete x
gcloud compute --zone z instances --quiet delete x
systemctl --user stop x
systemctl -M m stop x
git commit --no-verify -m x
git commit -nm x
git commit -anm x
git commit -m x --no-v
git commit -m x --no-verify=true
git -C . commit -m x -n
curl -sk https://x
curl --insec https://x
curl -fsSLk https://x
xargs curl
rm x
busybox rm x
find . -exec rm {} +
find . -ok rm {} \\;
find . -execdir sh -c 'rm x' \\;
fd -x rm
fd x --exec rm
tar -xf a --to-command=rm
tar -cf a b --checkpoint-action=exec='rm x'
sort --compress-program=rm a
setpriv --reuid 1 rm x
fakeroot rm x
unbuffer rm x
hyperfine 'rm x'
watchexec -- rm x
npx rm x
npm exec rm x
uv run rm x
poetry run rm x
git rebase -x 'rm x' HEAD~1
git bisect run rm x
git submodule foreach 'rm x'
/lib64/ld-linux-x86-64.so.2 /bin/rm x
`;

const ALLOWED = `
git status
git -C . status
git commit -m push
git log --grep push
git log push
git stash push
git add rm
git commit -m 'git push'
git commit -am x
git checkout -b push
git lfs status
npm test
npm run publish-docs
npm run test -- publish
npm -s test
npm pack
terraform plan
terraform -chdir=x plan
docker ps
docker logs rm
docker build .
kubectl get pods
kubectl -n delete-me get pods
cargo build
cargo +nightly build
go build
go -C d test
aws s3 ls
aws --profile p s3 cp a b
systemctl --user status x
curl -fsSL https://x
echo rm
ls rm
cat git push
grep -r 'git push' .
find . -name rm
find . -exec grep rm {} +
python3 tool.py rm
xargs git add
`;

function lines(text: string): readonly string[] {
  return text.trim().split('\n');
}

describe('Rules about subcommands and flags', () => {
  it('deny a subcommand behind options, wrappers and programs that run others', async () => {
    const policy = await policyOf(DENIED);
    const wrong = lines(REFUSED).filter(
      (command) => !verdict(decide(policy, 'execute_command', { command })).startsWith('deny'),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('are named as the reason, not something else', async () => {
    const policy = await policyOf(DENIED);
    for (const command of ['git -C . push', 'npm -s publish', 'git commit -nm x', 'find . -exec rm {} +']) {
      expect(verdict(decide(policy, 'execute_command', { command })), command).to.equal(
        'deny DENIED_COMMAND',
      );
    }
  });

  it('leave alone what is something else', async () => {
    const policy = await policyOf(DENIED);
    const wrong = lines(ALLOWED).filter(
      (command) => verdict(decide(policy, 'execute_command', { command })) !== 'allow',
    );
    expect(wrong).to.deep.equal([]);
  });

  it('ask wherever the options stand, and bring their limits', async () => {
    const policy = await policyOf(`
tools:
  execute_command:
    allowed_commands:
      - "*"
      - { command: [git, push], consent: ask }
      - { command: [git, commit], any: [--amend], consent: always }
      - { command: [npm, publish], consent: explicit }
`);
    for (const [command, wanted] of [
      ['git push', 'ask'],
      ['git -C . push', 'ask'],
      ['env git --no-pager push', 'ask'],
      ['strace git push', 'ask'],
      ['git p', 'always'],
      ['git commit --amend', 'always'],
      ['git commit --am', 'always'],
      ['git commit -m x', 'allow'],
      ['npm -s publish', 'explicit'],
      ['git status', 'allow'],
    ] as const) {
      expect(verdict(decide(policy, 'execute_command', { command })), command).to.equal(wanted);
    }
  });

  it('allow by words as strictly as before', async () => {
    const policy = await policyOf(`
tools:
  execute_command:
    allowed_commands: [{ command: [git, [status, log]] }, { command: [git, branch], any: [--list] }, { command: [npm, exec, prettier] }]
`);
    for (const [command, wanted] of [
      ['git status', 'allow'],
      ['git -C . status', 'deny NO_ALLOW'],
      ['git --no-pager log', 'deny NO_ALLOW'],
      ['git branch --list', 'allow'],
      ['git branch', 'deny NO_ALLOW'],
      ['git branch --lis', 'deny NO_ALLOW'],
      ['npm exec prettier', 'allow'],
      ['npm exec touch', 'deny NO_ALLOW'],
    ] as const) {
      expect(verdict(decide(policy, 'execute_command', { command })), command).to.equal(wanted);
    }
  });
});
