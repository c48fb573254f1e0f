/**
 * Options of which a project takes one for a purpose, by the role they play. Before `::` stand words that
 * name the role, spellings are divided by commas, options by bars.
 */
export const OPTION_TABLE: Readonly<Record<string, string>> = {
  database:
    'database store storage persistence relational sql :: postgresql,postgres,postgre sql,aurora postgresql | mysql | mariadb | mongodb,mongo | dynamodb | cassandra,scylladb | oracle database,oracle db,oracle | sql server,mssql | sqlite | cockroachdb | couchdb,couchbase | neo4j | firestore,firebase | spanner | h2 | document database,document store,nosql | relational database,rdbms',
  'time series store': 'time series metrics :: timescaledb,timescale | influxdb | questdb | victoriametrics',
  'vector store':
    'vector embedding similarity :: pgvector | pinecone | weaviate | qdrant | milvus | chroma,chromadb',
  warehouse:
    'warehouse query engine analytics analytical olap :: snowflake | bigquery | redshift | trino,presto | databricks | clickhouse | druid | synapse | duckdb | athena',
  'table format':
    'table format lake :: iceberg,apache iceberg | delta lake | hudi,apache hudi | parquet directories,plain parquet',
  broker:
    'broker message messaging event queue bus streaming :: kafka,apache kafka,redpanda | rabbitmq,amqp | sqs,amazon sqs | nats,jetstream | pulsar,apache pulsar | activemq | kinesis | google pub/sub,cloud pub/sub | eventbridge | azure service bus | redis streams | ibm mq,websphere mq | zeromq | mqtt',
  'stream processor':
    'stream processing streaming :: flink,apache flink | spark structured streaming,spark streaming | kafka streams | apache beam,dataflow | storm | ksqldb',
  'data processing':
    'transformation transform processing :: dbt | spark,pyspark,apache spark | pandas | polars | stored procedures,stored procedure',
  'api style':
    'api interface style :: graphql | rest,restful,rest apis,json over http | grpc | soap | json-rpc | odata | trpc | websockets,websocket',
  language:
    'language programming code written :: typescript | javascript | python | java | kotlin | golang,go | rust | ruby | php | scala | c# | c++ | elixir | swift | perl | clojure | haskell | f# | dart | objective-c | cobol | groovy',
  'web framework':
    'frontend framework ui web library :: react,react.js,reactjs | angular | vue,vue.js,vuejs | svelte,sveltekit | ember | jquery | solidjs | htmx | lit | java swing,swing | web components',
  'meta framework': 'framework :: next.js,nextjs | nuxt,nuxt.js | remix | gatsby | astro',
  'server framework':
    'backend framework web server :: spring boot | quarkus | micronaut | express,express.js | fastify | nestjs | django | flask | fastapi | rails,ruby on rails | laravel | symfony | asp.net core | koa | hapi | gin | actix',
  'desktop framework': 'desktop :: electron | tauri | qt | wpf | winforms',
  'ci system':
    'ci continuous integration build pipeline :: jenkins | github actions | gitlab ci,gitlab pipelines,gitlab ci/cd | circleci | travis,travis ci | teamcity | azure devops,azure pipelines | buildkite | drone ci | bamboo | tekton',
  infrastructure:
    'infrastructure provisioning code :: terraform,opentofu | pulumi | cloudformation | aws cdk,cdk | bicep | ansible | chef | puppet | saltstack | crossplane | manual console changes,the console by hand',
  runtime:
    'orchestration hosting container platform run :: kubernetes,k8s,eks,gke,aks,openshift | nomad | docker swarm,swarm | ecs,fargate | serverless,aws lambda,lambda,lambdas,cloud functions,azure functions | bare metal,bare-metal | virtual machines,vms,plain virtual machines | heroku | cloud run | docker compose',
  'container engine': 'container engine image :: docker | podman | containerd | cri-o',
  cloud:
    'cloud provider hosting :: aws,amazon web services | azure,microsoft azure | gcp,google cloud | on-premises,on-premise,on-prem | digitalocean | hetzner | public cloud',
  cache:
    'cache caching :: redis,valkey | memcached | hazelcast | in-process cache,in-memory cache,caffeine | varnish | ehcache',
  search:
    'search full-text index :: elasticsearch | opensearch | solr | algolia | meilisearch | typesense | postgres full-text search,postgresql full-text search | lucene',
  architecture:
    'architecture :: modular monolith,monolith,monolithic,single deployable | microservices,microservice,micro-services | service-oriented architecture',
  repository:
    'repository code :: monorepo,mono-repo,single repository | polyrepo,multi-repo,multiple repositories,repository per service,separate repositories,one repository per,separate repository',
  'monorepo tool': 'monorepo tool :: nx | turborepo | lerna | rush',
  branching:
    'branching git :: trunk-based development,trunk-based,trunk based development | gitflow,git flow,git-flow,long-lived branches,long-lived feature branches,release branches,develop branch | github flow',
  authentication:
    'authentication login session auth :: jwt,jwts,json web tokens | server-side sessions,session cookies,cookie sessions,opaque tokens | basic auth,basic authentication | api keys,api key | saml | openid connect,oidc,oauth2,oauth 2.0,oauth | mutual tls,mtls | ldap | passkeys,webauthn',
  identifiers:
    'identifier id key primary :: uuid,uuids,uuidv4,uuidv7 | ulid,ulids | auto-increment,auto-incrementing,autoincrement,serial,sequential ids,sequential integers | snowflake ids',
  'password hash':
    'password hash hashing :: argon2,argon2id | bcrypt | scrypt | pbkdf2 | md5 | sha-1,sha1 | sha-256,sha256',
  'test runner':
    'test unit runner testing :: jest | vitest | mocha | jasmine | ava | pytest | unittest | junit | testng | node:test | rspec | xunit | nunit',
  'browser tests':
    'browser end-to-end test e2e :: cypress | playwright | selenium | puppeteer | testcafe | webdriverio',
  bundler: 'bundler bundling build :: webpack | vite | esbuild | rollup | parcel | turbopack | rspack',
  'build tool': 'build tool :: gradle | maven | bazel | ant | sbt | buck',
  'package manager': 'package manager :: npm | yarn | pnpm | bun',
  'python packaging': 'package dependency python :: poetry | pipenv | uv | conda | pip-tools',
  linter: 'lint linter format formatter :: eslint | biome | tslint | standardjs | oxlint',
  styling:
    'styling css style :: tailwind,tailwindcss,tailwind css | css modules | styled-components,styled components,emotion,css-in-js | sass,scss | bootstrap | material ui,mui | chakra ui | ant design',
  'state management':
    'state management :: redux,redux toolkit | mobx | zustand | recoil | vuex | pinia | context api | jotai | xstate',
  'object mapping':
    'orm mapping persistence access query :: prisma | typeorm | sequelize | drizzle | hibernate,jpa | jooq | mybatis | sqlalchemy | raw sql,plain sql,hand-written sql | knex | entity framework | dapper | django orm | mikroorm',
  migrations: 'schema migration :: flyway | liquibase | alembic | hand-run scripts,manual scripts',
  metrics:
    'metric monitoring observability :: prometheus | datadog | new relic | graphite,statsd | cloudwatch | dynatrace | splunk observability | zabbix | nagios',
  'log store':
    'log logging store :: loki | elk,elk stack,logstash | splunk | graylog | papertrail | local log files,log files',
  tracing: 'tracing trace :: opentelemetry | zipkin | jaeger client | opentracing | aws x-ray,x-ray',
  'error tracking': 'error tracking :: sentry | rollbar | bugsnag | raygun',
  secrets:
    'secret credential :: vault,hashicorp vault | aws secrets manager,secrets manager | environment variables,env vars,.env files,dotenv | sealed secrets | secrets in git,secrets in the repository,config files,configuration files | azure key vault | sops',
  'feature flags':
    'feature flag toggle :: launchdarkly | unleash | split.io | flagsmith | openfeature | home-grown flags | configcat',
  'wire format':
    'format encoding :: json | protobuf,protocol buffers | avro | xml | messagepack | csv | thrift',
  'config format': 'configuration format :: yaml | toml | ini files | hocon',
  synchrony:
    'communication :: asynchronous,asynchronously,async messaging,asynchronous events,event-driven | synchronous,synchronously,synchronous http,synchronous calls,blocking calls,synchronous rest calls,direct http calls',
  'time zone': 'time zone timestamp :: utc | local time,local times,local timezone,server time zone',
  'money type':
    'money amount price :: integer cents,minor units,decimal,decimals,bigdecimal,integer minor units,integers in the smallest unit | float,floats,floating point,floating-point,double,doubles',
  deletion:
    'delete deletion :: soft delete,soft deletes,soft-delete,soft deletion,tombstones | hard delete,hard deletes,hard-delete,physical deletion,physically delete',
  locking:
    'locking concurrency :: optimistic locking,optimistic concurrency | pessimistic locking,pessimistic locks,row locks',
  rendering:
    'rendering :: server-side rendering,ssr,server rendered,server-rendered | client-side rendering,single-page application,single page application,spa | static site generation',
  versioning: 'version versioning :: semantic versioning,semver | calendar versioning,calver',
  'api versions':
    'api version versioning :: url versioning,version in the url,version in the path,versioned urls,uri versioning,in the url path | header versioning,version header,accept-version header,media type versioning,version in a header,custom headers',
  deployment:
    'deployment release :: blue-green,blue/green | canary,canary releases | rolling update,rolling updates,rolling deployment | big-bang release,maintenance window',
  tenancy:
    'tenant tenancy :: schema per tenant,schema-per-tenant | database per tenant,database-per-tenant | shared schema,row-level tenancy,tenant column,tenant_id column',
  'mobile framework':
    'mobile app :: react native | flutter | native ios and android,native apps,natively | ionic,cordova | xamarin | kotlin multiplatform | capacitor | progressive web app,pwa',
  registry:
    'registry image :: docker hub | ecr | artifactory | github container registry,ghcr | nexus | harbor',
  storage:
    'file storage blob upload :: s3,object storage,minio | nfs,shared file system,network file system | database blobs,blobs in the database,bytea | local disk',
  pagination:
    'pagination paging :: cursor pagination,cursor-based pagination,keyset pagination | offset pagination,offset-based pagination,limit/offset,page numbers',
  'log format':
    'log logging format :: structured logging,structured logs,json logs,json logging | plain text logs,plain-text logs,free-form logs,unstructured logs',
  'service mesh': 'service mesh :: istio | linkerd | consul connect',
  gateway:
    'gateway ingress proxy :: kong | nginx,nginx ingress | traefik | envoy | apigee | haproxy | aws api gateway | caddy',
  identity:
    'identity provider login :: keycloak | auth0 | okta | cognito | azure ad,entra id | firebase auth',
  scheduling:
    'scheduling orchestrator orchestration workflow job :: airflow,apache airflow | cron,cron job,cron jobs,crontab | temporal | argo workflows | dagster | prefect | quartz | luigi',
  'deployment tool':
    'deployment delivery gitops :: argo cd,argocd | flux,fluxcd | helm charts by hand | spinnaker',
  payments:
    'payment provider card :: stripe | adyen | braintree | paypal | mollie | worldpay | klarna | square',
  'text messages': 'sms reminder :: twilio | messagebird | vonage,nexmo | sinch | amazon sns',
  'mail delivery':
    'mail e-mail email :: sendgrid | mailgun | amazon ses,ses | postmark | mailchimp | smtp relay',
  dashboards:
    'dashboard reporting bi report :: superset | tableau | looker | metabase | power bi | qlik | redash',
  ingestion:
    'ingestion connector source :: fivetran | airbyte | stitch | meltano | own connectors,our own connector',
  'feature store': 'feature store :: feast | tecton | hopsworks',
  cdn: 'cdn edge :: cloudfront | fastly | akamai | cloudflare',
  'content management': 'cms content :: contentful | strapi | wordpress | sanity | drupal | storyblok',
  'language model':
    'model llm language :: openai,gpt-4,chatgpt | anthropic,claude | gemini | llama | mistral',
  'file transfer': 'file transfer exchange :: ftp,ftps | sftp | as2',
  validation: 'validation schema :: zod | yup | joi | typebox | ajv | valibot | io-ts',
  'http client': 'http client :: axios | fetch api,native fetch | got | superagent | ky',
  'date library':
    'date time library :: moment,moment.js,momentjs | day.js,dayjs | luxon | date-fns | joda-time | java.time',
  'logging library': 'log logging library :: winston | pino | bunyan | log4j | logback | serilog',
  charts: 'chart charting graph :: d3,d3.js | chart.js | echarts | highcharts | plotly | recharts',
  'api description': 'api description specification :: openapi,swagger | raml | api blueprint | asyncapi',
  'incident tool': 'incident on-call :: pagerduty | opsgenie | victorops',
  'issue tracker': 'issue ticket tracker :: jira | linear | github issues | youtrack',
  'operating system':
    'operating system image base :: ubuntu | debian | alpine | rhel,red hat | windows server | distroless',
  'service discovery': 'discovery :: consul | eureka | zookeeper | etcd',
  'event storage':
    'history audit persistence :: event sourcing | audit table | change data capture,cdc,debezium',
};

/** Families of which several live side by side: only a shared purpose makes two of them rivals. */
export const SIDE_BY_SIDE: ReadonlySet<string> = new Set([
  'wire format',
  'authentication',
  'identity',
  'config format',
  'storage',
  'tracing',
  'data processing',
  'api description',
  'event storage',
  'container engine',
  'language model',
  'cdn',
]);

/** Names that are also everyday words count only as they are written when the thing is meant. */
export const PROPER_NAMES: ReadonlySet<string> = new Set(
  'go rest express chef puppet parcel temporal oracle flux vault bun prefect react ember serial drizzle swift ava helm bamboo nexus harbor emotion unleash spark storm stitch square linear got fetch ant rush qt ses split remix standard consul square sanity lit gin gemini claude llama drone travis ky moment beam druid feast uv rust square swing'.split(
    ' ',
  ),
);
