/** Families of options of which a project takes one for a purpose: spellings by comma, options by bar. */
const FAMILIES: Readonly<Record<string, string>> = {
  database:
    'postgresql,postgres,postgre sql,aurora postgresql | mysql | mariadb | mongodb,mongo | dynamodb | cassandra,scylladb | oracle database,oracle db,oracle | sql server,mssql | sqlite | cockroachdb | couchdb,couchbase | neo4j | firestore,firebase | spanner | document database,document store,nosql | relational database,rdbms',
  broker:
    'kafka,redpanda | rabbitmq,amqp | sqs,amazon sqs | nats,jetstream | pulsar | activemq | kinesis | google pub/sub,cloud pub/sub | eventbridge | azure service bus | redis streams',
  'api style': 'graphql | rest,restful,rest apis,json over http | grpc | soap | json-rpc | odata | trpc',
  language:
    'typescript | javascript | python | java | kotlin | golang,go | rust | ruby | php | scala | c# | elixir | swift | perl | clojure',
  'web framework': 'react | angular | vue,vue.js,vuejs | svelte,sveltekit | ember | jquery | solidjs | htmx',
  'server framework':
    'spring boot | quarkus | micronaut | express,express.js | fastify | nestjs | django | flask | fastapi | rails,ruby on rails | laravel | asp.net core',
  'ci system':
    'jenkins | github actions | gitlab ci,gitlab pipelines | circleci | travis,travis ci | teamcity | azure devops,azure pipelines | buildkite | drone ci | bamboo',
  infrastructure:
    'terraform,opentofu | pulumi | cloudformation | aws cdk,cdk | bicep | ansible | chef | puppet | manual console changes,the console by hand',
  runtime:
    'kubernetes,k8s,eks,gke,aks | nomad | docker swarm,swarm | ecs,fargate | serverless,aws lambda,lambda,lambdas,cloud functions | bare metal,bare-metal | virtual machines,vms | heroku',
  cloud:
    'aws,amazon web services | azure,microsoft azure | gcp,google cloud | on-premises,on-premise,on-prem | digitalocean',
  cache: 'redis,valkey | memcached | hazelcast | in-process cache,in-memory cache,caffeine | varnish',
  search:
    'elasticsearch | opensearch | solr | algolia | meilisearch | typesense | postgres full-text search,postgresql full-text search',
  architecture:
    'modular monolith,monolith,monolithic | microservices,microservice,micro-services | service-oriented architecture',
  repository:
    'monorepo,mono-repo,single repository | polyrepo,multi-repo,multiple repositories,repository per service,separate repositories,one repository per',
  branching:
    'trunk-based development,trunk-based,trunk based development | gitflow,git flow,git-flow,long-lived branches,long-lived feature branches,release branches,develop branch',
  authentication:
    'jwt,jwts,json web tokens | server-side sessions,session cookies,cookie sessions,opaque tokens | basic auth,basic authentication | api keys,api key | saml | openid connect,oidc,oauth2,oauth 2.0,oauth | mutual tls,mtls | ldap',
  identifiers:
    'uuid,uuids,uuidv4,uuidv7 | ulid,ulids | auto-increment,auto-incrementing,autoincrement,serial,sequential ids,sequential integers | snowflake ids',
  'test runner': 'jest | vitest | mocha | jasmine | ava | pytest | unittest | junit | testng | node:test',
  'browser tests': 'cypress | playwright | selenium | puppeteer | testcafe',
  bundler: 'webpack | vite | esbuild | rollup | parcel | turbopack | rspack',
  'package manager': 'npm | yarn | pnpm | bun',
  styling:
    'tailwind,tailwindcss | css modules | styled-components,styled components,emotion,css-in-js | sass,scss | bootstrap | material ui,mui',
  'state management': 'redux,redux toolkit | mobx | zustand | recoil | vuex | pinia | context api',
  'object mapping':
    'prisma | typeorm | sequelize | drizzle | hibernate,jpa | jooq | mybatis | sqlalchemy | raw sql,plain sql,hand-written sql | knex | entity framework',
  metrics: 'prometheus | datadog | new relic | graphite,statsd | influxdb | cloudwatch | dynatrace',
  tracing: 'opentelemetry | zipkin | jaeger client | opentracing | aws x-ray,x-ray',
  secrets:
    'vault,hashicorp vault | aws secrets manager,secrets manager | environment variables,env vars,.env files,dotenv | sealed secrets | secrets in git,secrets in the repository,config files,configuration files',
  'feature flags': 'launchdarkly | unleash | split.io | flagsmith | openfeature | home-grown flags',
  'wire format': 'json | protobuf,protocol buffers | avro | xml | messagepack | csv | thrift',
  'config format': 'yaml | toml | ini files | hocon',
  synchrony:
    'asynchronous,asynchronously,async messaging,asynchronous events,event-driven | synchronous,synchronously,synchronous http,synchronous calls,blocking calls,synchronous rest calls,direct http calls',
  'time zone': 'utc | local time,local times,local timezone,server time zone',
  'money type':
    'integer cents,minor units,decimal,decimals,bigdecimal,integer minor units | float,floats,floating point,floating-point,double,doubles',
  deletion:
    'soft delete,soft deletes,soft-delete,soft deletion,tombstones | hard delete,hard deletes,hard-delete,physical deletion,physically delete',
  locking: 'optimistic locking,optimistic concurrency | pessimistic locking,pessimistic locks,row locks',
  rendering:
    'server-side rendering,ssr,server rendered,server-rendered | client-side rendering,single-page application,single page application,spa | static site generation',
  versioning: 'semantic versioning,semver | calendar versioning,calver',
  'api versions':
    'url versioning,version in the url,version in the path,versioned urls,uri versioning | header versioning,version header,media type versioning,version in a header',
  deployment:
    'blue-green,blue/green | canary,canary releases | rolling update,rolling updates,rolling deployment | big-bang release,maintenance window',
  tenancy:
    'schema per tenant,schema-per-tenant | database per tenant,database-per-tenant | shared schema,row-level tenancy,tenant column,tenant_id column',
  'mobile framework': 'react native | flutter | native ios and android,native apps | ionic,cordova | xamarin',
  registry: 'docker hub | ecr | artifactory | github container registry,ghcr | nexus | harbor',
  storage:
    's3,object storage,minio | nfs,shared file system,network file system | database blobs,blobs in the database,bytea',
  pagination:
    'cursor pagination,cursor-based pagination,keyset pagination | offset pagination,offset-based pagination,limit/offset,page numbers',
  'log format':
    'structured logging,structured logs,json logs,json logging | plain text logs,plain-text logs,free-form logs,unstructured logs',
  'service mesh': 'istio | linkerd | consul connect',
  gateway: 'kong | nginx,nginx ingress | traefik | envoy | apigee | haproxy | aws api gateway',
  identity: 'keycloak | auth0 | okta | cognito | azure ad,entra id',
  scheduling: 'airflow | cron,cron jobs,crontab | temporal | argo workflows | dagster | prefect | quartz',
  'deployment tool': 'argo cd,argocd | flux,fluxcd | helm charts by hand | spinnaker',
};

export interface KnownOption {
  readonly name: string;
  readonly family: string;
}

export interface OptionMention extends KnownOption {
  readonly from: number;
  readonly to: number;
}

interface Spelling {
  readonly option: KnownOption;
  readonly words: string;
}

const SPELLINGS: readonly Spelling[] = Object.entries(FAMILIES)
  .flatMap(([family, options]) =>
    options.split('|').flatMap((option) => {
      const words = option.split(',').map((word) => word.trim());
      const known = { name: words[0] ?? '', family };
      return words.map((spelling) => ({ option: known, words: spelling }));
    }),
  )
  .sort((a, b) => b.words.length - a.words.length);

const BY_WORDS = new Map(SPELLINGS.map(({ option, words }) => [words, option]));
const ANY = new RegExp(
  `(?<![\\p{L}\\p{N}_.#-])(?:${SPELLINGS.map(({ words }) => escaped(words)).join('|')})(?![\\p{L}\\p{N}_#+]|-(?!based|backed|only|first)[\\p{L}])`,
  'giu',
);
/** Names that are also everyday words count only as they are written when the thing is meant. */
const PROPER = new Set([
  'go',
  'rest',
  'express',
  'chef',
  'puppet',
  'parcel',
  'temporal',
  'oracle',
  'flux',
  'vault',
  'bun',
  'prefect',
  'react',
  'ember',
  'serial',
  'drizzle',
  'swift',
  'ava',
  'helm',
  'bamboo',
  'nexus',
  'harbor',
  'emotion',
  'unleash',
]);

/** Every known option in a text, the longest spelling first, none inside of another. */
export function optionsIn(text: string): readonly OptionMention[] {
  return [...text.matchAll(ANY)].flatMap((match) => {
    const [written] = match;
    const words = written.toLowerCase();
    const option = BY_WORDS.get(words);
    if (option === undefined || (PROPER.has(words) && !isProper(written))) return [];
    return [{ ...option, from: match.index, to: match.index + written.length }];
  });
}

function isProper(written: string): boolean {
  return written === 'REST' || (written !== written.toLowerCase() && written !== written.toUpperCase());
}

function escaped(words: string): string {
  return words.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
