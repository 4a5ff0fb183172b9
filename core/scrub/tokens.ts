// Tokens that say what they are: a vendor's prefix, then characters drawn by lot. Formats as the vendors document them or
// as their tokens are seen; lengths are lower bounds, since vendors lengthen them.
import { isExample, isUnreadable, looksRandom } from './shapes.ts';
import type { Hit } from './types.ts';

interface TokenRule {
  readonly kind: string;
  readonly prefix: string;
  readonly body: RegExp;
  /** The prefix alone says little: the body has to look random. */
  readonly weak: boolean;
}

const AN = '[A-Za-z0-9]';
const B64 = '[A-Za-z0-9_-]';
const HEX = '[0-9a-f]';

const rule = (kind: string, prefixes: string, body: string, weak = false): readonly TokenRule[] =>
  prefixes.split(' ').map((prefix) => ({ kind, prefix, body: new RegExp(`${body}(?![A-Za-z0-9])`, 'y'), weak }));

const RULES: readonly TokenRule[] = [
  // Models
  ...rule('anthropic_key', 'sk-ant-', `${B64}{24,300}`),
  ...rule('openai_key', 'sk-proj- sk-svcacct- sk-admin- sk-None-', `${B64}{20,300}`),
  ...rule('openai_key', 'sk-', `(?:${AN}{8,80}T3BlbkFJ${AN}{8,80}|${AN}{32,80})`, true),
  ...rule('openrouter_key', 'sk-or-', `v1-${HEX}{32,80}`),
  ...rule('langfuse_key', 'sk-lf- pk-lf-', `${HEX}{8}-[0-9a-f-]{20,40}`),
  ...rule('model_key', 'sk-helicone- sk-kimi- sk-litellm- sk-cp- sk-ws-', `${B64}{16,120}`),
  ...rule('google_api_key', 'AIza', `${B64}{33,40}`),
  ...rule('google_oauth', 'ya29.', '[A-Za-z0-9_.-]{20,2048}'),
  ...rule('google_oauth', 'GOCSPX- 1//0', `${B64}{20,200}`),
  ...rule('google_oauth', 'AQ.', `Ab8${B64}{30,120}`),
  ...rule('hugging_face', 'hf_ api_org_', `${AN}{30,60}`, true),
  ...rule('groq_key', 'gsk_', `${AN}{40,80}`),
  ...rule('xai_key', 'xai-', `${AN}{40,120}`),
  ...rule('replicate_key', 'r8_', `${AN}{34,60}`, true),
  ...rule('fireworks_key', 'fw_ fpk_', `${AN}{20,60}`, true),
  ...rule(
    'model_key',
    'pplx- nvapi- tvly- csk- gsk- jina_ esecret_ pcsk_ tgp_v1_ voyage- pa- bce-v3/ ',
    `${B64}{24,160}`,
    true,
  ),
  ...rule('langsmith_key', 'lsv2_ ls__', `${B64}{20,100}`),
  ...rule('wandb_key', 'wandb_v1_ wb_', `${B64}{30,120}`, true),
  ...rule('model_key', 'e2b_ fc- app- bb_live_ mem0_ m0- zep_ z_', `${AN}{24,80}`, true),
  // Clouds
  ...rule('aws_key', 'AKIA ASIA ABIA ACCA AROA AIDA', '[A-Z0-9]{16}'),
  ...rule('aws_key', 'ABSK bedrock-api-key-', '[A-Za-z0-9+/]{60,300}={0,2}'),
  ...rule('alibaba_key', 'LTAI', `${AN}{12,32}`, true),
  ...rule('tencent_key', 'AKID', `${AN}{32}`, true),
  ...rule('digitalocean_token', 'dop_v1_ doo_v1_ dor_v1_', `${HEX}{40,80}`),
  ...rule('databricks_token', 'dapi', `${HEX}{32}(?:-\\d{1,2})?`),
  ...rule('databricks_token', 'dose', `${HEX}{32,64}`),
  ...rule('fly_token', 'fo1_ fm1r_ fm2_', '[A-Za-z0-9_+/=,-]{30,2000}'),
  ...rule('vercel_token', 'vcp_ vci_ vca_ vcr_ vck_ vercel_blob_rw_', `${B64}{20,100}`, true),
  ...rule('netlify_token', 'nfp_ nfc_', `${AN}{30,60}`, true),
  ...rule('render_key', 'rnd_', `${AN}{24,60}`, true),
  ...rule('heroku_key', 'HRKU-', `${B64}{30,100}`),
  ...rule('supabase_key', 'sbp_ sbp_v0_', `${HEX}{40}`),
  ...rule('supabase_key', 'sb_secret_ sb_publishable_', `${B64}{20,80}`),
  ...rule('planetscale_token', 'pscale_tkn_ pscale_oauth_ pscale_pw_', `${B64}{24,100}`),
  ...rule('neon_key', 'napi_ npg_', `${AN}{12,120}`, true),
  ...rule('turso_token', 'tur_ ', `${B64}{30,200}`, true),
  ...rule('cloudflare_key', 'v1.0-', `${HEX}{24}-${HEX}{100,200}`),
  ...rule('cloudflare_key', 'cfat_ cfut_ cfk_', `${AN}{30,80}`, true),
  ...rule('yandex_key', 'AQVN t1. y0_', '[A-Za-z0-9_.-]{35,300}', true),
  ...rule('scaleway_key', 'SCW', '[A-Z0-9]{17}', true),
  ...rule('hetzner_token', 'hcloud_', `${AN}{40,80}`, true),
  // Code
  ...rule('github_token', 'ghp_ gho_ ghu_ ghs_ ghr_', '[A-Za-z0-9_.-]{30,300}'),
  ...rule('github_token', 'github_pat_', '[A-Za-z0-9_]{30,255}'),
  ...rule(
    'gitlab_token',
    'glpat- glptt- gldt- glrt- glrtr- glcbt- glimt- glagent- glsoat- glffct- gloas- glft- GR1348941',
    '[A-Za-z0-9_.-]{16,300}',
  ),
  ...rule('bitbucket_token', 'ATBB ATCTT3', '[A-Za-z0-9_=-]{24,300}', true),
  ...rule('atlassian_token', 'ATATT3 ATSTT3', '[A-Za-z0-9_=-]{40,400}'),
  ...rule('npm_token', 'npm_', `${AN}{36}`, true),
  ...rule('pypi_token', 'pypi-AgE pypi-', `${B64}{50,400}`),
  ...rule('rubygems_key', 'rubygems_', `${HEX}{40,60}`),
  ...rule('nuget_key', 'oy2', '[a-z0-9]{43}'),
  ...rule('crates_token', 'cio', `${AN}{32}`, true),
  ...rule('docker_token', 'dckr_pat_ dckr_oat_', `${B64}{20,60}`),
  ...rule('artifactory_key', 'AKCp cmVmdGtu', `${AN}{40,120}`),
  ...rule('sonar_token', 'squ_ sqp_ sqa_', `${HEX}{40}`),
  ...rule('circleci_token', 'CCIPAT_ CCIPRJ_', `${AN}{16,40}_${HEX}{40}`),
  ...rule('buildkite_token', 'bkua_ bkaa_', `${HEX}{40}`),
  ...rule('pulumi_token', 'pul-', `${HEX}{40}`),
  ...rule('snyk_token', 'snyk_uat. snyk_sat.', `${B64}{8,20}\\.${B64}{30,400}`),
  // Talk
  ...rule(
    'slack_token',
    'xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxc- xoxd- xoxe- xoxe.xoxp- xoxe.xoxb-',
    '[A-Za-z0-9%.-]{16,400}',
  ),
  ...rule('slack_token', 'xapp-', '\\d-[A-Z0-9]{6,20}-\\d{6,20}-[0-9a-fA-F]{30,100}'),
  ...rule('sendgrid_key', 'SG.', `${B64}{16,40}\\.${B64}{30,80}`),
  ...rule('mailgun_key', 'key-', `${HEX}{32}`),
  ...rule('mail_key', 'xkeysib- xsmtpsib-', `${HEX}{64}-${AN}{16}`),
  ...rule('mail_key', 're_', '[A-Za-z0-9_]{20,60}', true),
  ...rule('twilio_key', 'SK AC', `${HEX}{32}`),
  ...rule('telnyx_key', 'KEY0', '[A-Z0-9]{10,40}_[A-Za-z0-9]{16,40}'),
  // Money and shops
  ...rule('stripe_key', 'sk_live_ sk_test_ rk_live_ rk_test_ sk_org_live_', `${AN}{16,250}`),
  ...rule('stripe_key', 'whsec_', '[A-Za-z0-9+/]{24,100}={0,2}'),
  ...rule('service_key', 'sk_', `${AN}{32,100}`, true),
  ...rule('shopify_token', 'shpat_ shpss_ shpca_ shppa_ shpua_ shptka_', '[0-9a-fA-F]{32,64}'),
  ...rule('square_token', 'sq0atp- sq0csp- sq0idp-', `${B64}{20,60}`),
  ...rule('square_token', 'EAAA', `${B64}{56,80}`, true),
  ...rule('facebook_token', 'EAA', `${AN}{80,300}`, true),
  ...rule('braintree_token', 'access_token$production$ access_token$sandbox$', `${AN}{16}\\$${HEX}{32}`),
  ...rule('plaid_token', 'access-sandbox- access-production- access-development-', `${HEX}{8}-[0-9a-f-]{27}`),
  ...rule('razorpay_key', 'rzp_live_ rzp_test_', `${AN}{14,30}`),
  ...rule('coinbase_key', 'organizations/', `${HEX}{8}-[0-9a-f-]{27}/apiKeys/[0-9a-f-]{36}`),
  // Tools
  ...rule('notion_token', 'ntn_', `${AN}{40,60}`, true),
  ...rule('notion_token', 'secret_', `${AN}{43}`, true),
  ...rule('linear_key', 'lin_api_ lin_oauth_ lin_wh_', `${AN}{32,80}`),
  ...rule('figma_token', 'figd_ figu_ figo_ figdr_', `${B64}{30,80}`),
  ...rule('airtable_token', 'pat', `${AN}{14}\\.${HEX}{64}`),
  ...rule('postman_key', 'PMAK-', `${HEX}{24}-${HEX}{34}`),
  ...rule('postman_key', 'PMAT-', '[0-9A-Z]{26}'),
  ...rule('grafana_token', 'glsa_', `${AN}{32}_[0-9a-fA-F]{8}`),
  ...rule('grafana_token', 'glc_', '[A-Za-z0-9+/]{32,400}={0,2}'),
  ...rule('newrelic_key', 'NRAK- NRJS- NRII- NRIQ- NRRA- NRAA-', `${B64}{19,60}`),
  ...rule('sentry_token', 'sntrys_ sntryu_ sntrya_', '[A-Za-z0-9_=+/-]{40,400}'),
  ...rule('posthog_key', 'phx_ phc_ pha_', `${AN}{32,60}`, true),
  ...rule('dynatrace_token', 'dt0c01. dt0s01. dt0s02. dt0s16.', '[A-Z0-9]{8,24}\\.[A-Z0-9]{64}'),
  ...rule('doppler_token', 'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.', '[A-Za-z0-9_.-]{30,80}'),
  ...rule('vault_token', 'hvs. hvb. hvr.', `${B64}{20,400}`),
  ...rule('vault_token', 's. b.', `${AN}{24}(?:\\.${AN}{5})?`, true),
  ...rule('onepassword_token', 'ops_eyJ', '[A-Za-z0-9+/_-]{80,2000}={0,2}'),
  ...rule(
    'onepassword_token',
    'A3-',
    '[A-Z0-9]{6}-[A-Z0-9]{6}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}(?:-[A-Z0-9]{5})?',
    true,
  ),
  ...rule('infisical_token', 'st.', `${HEX}{24}\\.${HEX}{32}\\.${HEX}{32}`),
  ...rule('age_key', 'AGE-SECRET-KEY-1 AGE-SECRET-KEY-PQ-1', '[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{40,120}'),
  ...rule('nostr_key', 'nsec1', '[a-z0-9]{58}'),
  ...rule('tailscale_key', 'tskey-', `(?:auth|api|client|scim|webhook)-${AN}{6,30}-${AN}{16,60}`),
  ...rule('ngrok_token', 'ngrok_', `${B64}{30,80}`, true),
  ...rule('contentful_token', 'CFPAT-', `${B64}{40,60}`),
  ...rule('readme_key', 'rdme_', '[a-z0-9]{60,80}'),
  ...rule('typeform_token', 'tfp_', `${B64}{40,80}`),
  ...rule('zapier_key', 'sk-ak-', `${AN}{24,80}`, true),
  ...rule('hubspot_token', 'pat-na1- pat-eu1- pat-na2- pat-na3- pat-ap1-', `${HEX}{8}-[0-9a-f-]{27}`),
  ...rule('mapbox_token', 'sk. pk. tk.', `eyJ${B64}{40,200}\\.${B64}{20,40}`),
  ...rule('dropbox_token', 'sl. sl.u.', `${B64}{60,1500}`, true),
  ...rule('twitch_token', 'oauth:', '[a-z0-9]{30}', true),
  ...rule('twitter_token', 'AAAAAAAAAAAAAAAAAAAAA', '[A-Za-z0-9%]{40,200}'),
  ...rule('launchdarkly_key', 'sdk- api- mob-', `${HEX}{8}-${HEX}{4}-4${HEX}{3}-${HEX}{4}-${HEX}{12}`),
  ...rule('clickup_token', 'pk_', '\\d{6,10}_[A-Z0-9]{32}'),
  ...rule('adobe_secret', 'p8e-', `${B64}{32}`),
  ...rule('easypost_key', 'EZAK EZTK', `${AN}{54}`),
  ...rule('flutterwave_key', 'FLWSECK- FLWSECK_TEST-', `${AN}{12,60}(?:-X)?`),
  ...rule('shippo_token', 'shippo_live_ shippo_test_', `${HEX}{40}`),
  ...rule('duffel_token', 'duffel_live_ duffel_test_', `${B64}{40,60}`),
  ...rule('prefect_key', 'pnu_ pnb_', `${AN}{36}`, true),
  ...rule('paystack_key', 'sk_paystack_', `${AN}{30,60}`),
  ...rule('cookie_secret', 's%3A s:', '[A-Za-z0-9_-]{32}(?:\\.|%2E)[A-Za-z0-9+/%]{40,60}'),
];

/** The kinds of these tokens. */
export const TOKEN_KINDS: readonly string[] = [...new Set(RULES.map(({ kind }) => kind))];

const BY_PREFIX: ReadonlyMap<string, readonly TokenRule[]> = Map.groupBy(
  RULES.filter(({ prefix }) => prefix !== ''),
  ({ prefix }) => prefix,
);

const PREFIXES = [...BY_PREFIX.keys()].sort((a, b) => b.length - a.length);
const ANCHOR = new RegExp(`(?<![A-Za-z0-9])(?:${PREFIXES.map(escaped).join('|')})`, 'g');

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** Tokens that begin with what their vendor writes before them. */
export function* findTokens(text: string): Generator<Hit> {
  ANCHOR.lastIndex = 0;
  for (let anchor = ANCHOR.exec(text); anchor !== null; anchor = ANCHOR.exec(text)) {
    const from = anchor.index;
    const hit = tokenAt(text, from, anchor[0]);
    if (hit !== null) {
      yield hit;
      ANCHOR.lastIndex = hit.to;
    } else ANCHOR.lastIndex = from + 1;
  }
}

// The longest prefix need not be the right one: `sk-` is the beginning of others.
function tokenAt(text: string, from: number, longest: string): Hit | null {
  for (let length = longest.length; length > 0; length--) {
    for (const { kind, prefix, body, weak } of BY_PREFIX.get(longest.slice(0, length)) ?? []) {
      body.lastIndex = from + prefix.length;
      const found = body.exec(text);
      if (found === null || isExample(found[0]) || (weak && !isMixed(found[0]))) continue;
      return { kind, tier: 'definite', from, to: body.lastIndex };
    }
  }
  return null;
}

function isMixed(body: string): boolean {
  if (isUnreadable(body)) return true;
  return /\d/.test(body) ? looksRandom(body) : /[a-z]/.test(body) && /[A-Z]/.test(body) && looksRandom(body);
}
