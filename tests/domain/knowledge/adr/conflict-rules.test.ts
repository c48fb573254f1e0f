import { expect } from 'chai';
import { acceptedRecord, judged } from '../../../support/judged-proposal.js';

const TOKENS = acceptedRecord('Access tokens live no longer than 15 minutes.', '1. Access tokens');
const RATE = acceptedRecord('Rate limit: 60 requests a minute per API key.', '1. Public API');
const IMAGES = acceptedRecord('Images are 25 MB at most.', '1. Images');
const BACKUPS = acceptedRecord('Backups are kept for thirty days.', '1. Backups');
const ALARMS = acceptedRecord('An timer cannot be muted for more than 4 hours.', '1. Alarms');
const INDEX = acceptedRecord(
  'Searches use OpenSearch. Nothing is written to OpenSearch only.',
  '1. Search in OpenSearch',
);
const CACHE = acceptedRecord('Redis is used only for caching.', '1. Redis');
const VAULT = acceptedRecord('Only the vault may hold card numbers.', '1. Card numbers');
const KOTLIN = acceptedRecord('Services are written in Kotlin.', '1. Language of services');
const LOGIN = acceptedRecord(
  'Users sign in through Keycloak. The LDAP form is not used for sign-in.',
  '1. Sign-in',
);
const FIRMWARE = acceptedRecord(
  'Unsigned firmware must never be installed on devices. Laboratory devices are exempt.',
  '1. Firmware of devices',
);

const IMAGES_OF_BOARDS = acceptedRecord(
  'An image that does not confirm itself is rolled back at the next start.',
  '1. Updates',
);
const CRON = acceptedRecord('Cron jobs on single machines are moved to Airflow.', '1. Pipelines in Airflow');
const SNAPSHOTS = acceptedRecord('Types of snapshots are not put into the core.', '1. Snapshots');
const BUS = `# 1. CAN between joints

## Status

Accepted

## Context

EtherCAT would have been faster but costs eleven euros a joint.

## Decision

We connect the joints by CAN.
`;

const PAGES = `# 1. Pages of the shop

## Status

Accepted

## Considered Options

* Templates with \`fragments\` on the server
* React app

## Decision Outcome

Chosen option: "Templates with \`fragments\` on the server", because they are quick.

### React app

* Good, because it has many components
* Bad, because it is slow on old phones
`;

const SERIES = `# 1. Store sensor series in TimescaleDB

## Status

Accepted

## Considered Options

* TimescaleDB
* InfluxDB

## Decision Outcome

TimescaleDB. Readings are partitioned by week.

* InfluxDB: fast, but the joins would have to happen in application code.
`;
const SCHEDULER = `# 1. Batch scheduling with Kueue

Status: accepted

## Summary

All batch work runs through Kueue. The Slurm cluster is retired.

## Proposal

Every team gets a queue.
`;
const BOOTLOADER = acceptedRecord(
  'The bootloader refuses unsigned images, also on development gateways. The uplink to the office is not part of this decision.',
  '1. Images of gateways',
);

const RULES: Readonly<Record<string, readonly (readonly [string, string, boolean])[]>> = {
  'figures and their bounds': [
    [TOKENS, 'Shorten the access token lifetime from 15 to 10 minutes.', false],
    [TOKENS, 'Shorten the access token lifetime from 20 minutes to 10 minutes.', false],
    [TOKENS, 'Let access tokens live 10 minutes instead of 20 minutes.', false],
    [TOKENS, 'Let access tokens live for 20 minutes.', true],
    [RATE, 'Lower the rate limit to 30 requests a minute per API key.', false],
    [RATE, 'Grant their API key 600 requests a minute.', true],
    [IMAGES, 'Limit images to 10 MB.', false],
    [IMAGES, 'Allow images of 80 MB.', true],
    [BACKUPS, 'Keep backups for at least two weeks.', false],
    [BACKUPS, 'Keep backups for two weeks.', true],
    [ALARMS, 'Let staff mute the timer for 2 hours.', false],
    [ALARMS, 'Let staff mute the timer for 12 hours.', true],
  ],
  reasons: [
    [TOKENS, 'Refresh access tokens in the background, since 30 minutes of work are lost.', false],
    [LOGIN, 'Make the sign-in page of Keycloak blue, now that nobody uses the LDAP form.', false],
    [LOGIN, 'Make the page of Keycloak blue, now that guests use the LDAP form for sign-in.', false],
    [LOGIN, 'Because the LDAP form was used for sign-in, users know their password.', false],
    [LOGIN, 'Use the LDAP form for sign-in, because users know it.', true],
  ],
  'what is deleted or refused': [
    [LOGIN, 'Delete the LDAP form for sign-in.', false],
    [LOGIN, 'We decline the LDAP form for sign-in.', false],
    [LOGIN, 'Bring back the LDAP form for sign-in.', true],
    [acceptedRecord('Audit entries are never deleted.', '1. Audit'), 'Delete old audit entries.', true],
  ],
  '"only"': [
    [INDEX, 'We stay on OpenSearch and do not go back to Elasticsearch.', false],
    [INDEX, 'The new facet is written to OpenSearch as well.', false],
    [INDEX, 'Write tags to OpenSearch and nowhere else.', true],
    [CACHE, 'We stay with Redis.', false],
    [CACHE, 'Use Redis for caching pages.', false],
    [VAULT, 'The vault holds card numbers of guests.', false],
    [VAULT, 'The shop holds card numbers.', false],
  ],
  rivals: [
    [KOTLIN, 'Write the refund service in Kotlin.', false],
    [KOTLIN, 'Write the refund service in Kotlin and the test of that service in Bash.', false],
    [KOTLIN, 'Write the manual of the refund service in French.', false],
    [KOTLIN, 'Port the refund service from Go to Kotlin.', false],
  ],
  'what a clause really says': [
    [IMAGES_OF_BOARDS, 'Roll an image back when it has not confirmed itself at the next start.', false],
    [CRON, 'Move the cron jobs on single machines to Airflow.', false],
    [CRON, 'Run the purge as a cron job on single machines.', true],
    [SNAPSHOTS, 'Add types of snapshots outside of the core.', false],
    [SNAPSHOTS, 'Put the types of snapshots into the core.', true],
    [LOGIN, 'Switch the LDAP form for sign-in off.', false],
    [LOGIN, 'Change the colours of the page; Keycloak is not touched.', false],
  ],
  'names that were passed over': [
    [BUS, 'Use EtherCAT between the joints.', true],
    [BUS, 'Compare EtherCAT and CAN between the joints.', false],
    [BUS, 'The camera of the supplier runs on EtherCAT.', false],
  ],
  'how a sentence asks': [
    [LOGIN, 'Could we use the LDAP form for sign-in?', true],
    [LOGIN, 'Who used the LDAP form for sign-in?', false],
    [LOGIN, 'Explain in a blog post why the LDAP form is gone from sign-in.', false],
    [LOGIN, 'Fix the colours. (Someone once wanted the LDAP form for sign-in.)', false],
    [BUS, 'Our partner will show EtherCAT at their workshop.', false],
  ],
  'pros and cons': [
    [PAGES, 'Build the shop window as a React app.', true],
    [PAGES, 'Cache the fragments of the shop window.', false],
    [PAGES, 'Use components for the shop window.', false],
  ],
  'where a record passes something over': [
    [SERIES, 'Move the sensor readings to InfluxDB.', true],
    [SERIES, 'Partition the sensor readings by day.', false],
    [SCHEDULER, 'Bring back a Slurm cluster for large batch work.', true],
    [SCHEDULER, 'Print the length of the queue of each team.', false],
    [BOOTLOADER, 'Allow unsigned images on development gateways.', true],
    [BOOTLOADER, 'Measure the uplink to the office.', false],
  ],
  allowances: [
    [FIRMWARE, 'Install unsigned firmware on devices of customers.', true],
    [FIRMWARE, 'Install unsigned firmware on laboratory devices.', false],
  ],
};

describe('The rules of conflict', () => {
  for (const [rule, cases] of Object.entries(RULES)) {
    for (const [record, proposal, isConflict] of cases) {
      it(`S3-34: ${rule}: ${isConflict ? 'a conflict' : 'none'} in "${proposal}"`, async () => {
        const finding = await judged(record, proposal);
        expect(finding?.verdict === 'conflicts', JSON.stringify(finding)).to.equal(isConflict);
      });
    }
  }
});
