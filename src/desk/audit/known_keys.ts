/**
 * Recognizes keys of well-known services by how they start.
 *
 * The list has the fixed beginnings in the default rules of gitleaks (config/gitleaks.toml, commit 009e025ad410), except
 * for those that ordinary words or numbers share: `API-`, `ico-`, `key-`, `live_`, `test_`, `pat.`, `sat.`, `s.`, `sl.`,
 * `t1.`, `pk.`, `b_`, `sc_`, `ext_`, `SK`, `YC`, `su`, `00`, `4b1d`. Rules of gitleaks that look for the name of a service next to
 * the key, or for a pattern in its middle, have no counterpart here; `scrub.ts` reads names such as `token` next to a
 * key. The last line has beginnings that gitleaks lacks.
 *
 * @module
 */

const KEY_BEGINNINGS = `
  A3- ops_eyJ p8e- AGE-SECRET-KEY- LTAI sk- AKCp cmVmd ATATT3 A3T AKIA ASIA ABIA ACCA v1.0- CLOJARS_ clojars_ dapi dnkey-
  doo_v1_ dop_v1_ dor_v1_ dp.pt. duffel_ dt0c01. EZAK EZTK EAAM EAAC EAAA FLWSECK_TEST- FLWPUBK_TEST- fo1_ fm1a_ fm1r_
  fm2_ fio-u- AIza ghu_ ghs_ github_pat_ gho_ ghp_ ghr_ glcbt- gldt- glffct- glft- glimt- glagent- gloas- glpat- glptt-
  GR1348941 glrt- glsoat- eyJ ZXlK glc_ glsa_ HRKU-AA hf_ api_org_ s-s4t2 lin_api_ pubkey- NRJS- NRII- NRAK- ntn_ npm_
  pplx- access-sandbox- access-development- access-production- pscale_ PMAK- pnu_ pul- pypi- rdme_ rubygems_ tk-us- SG.
  xkeysib- sntrys_ sntryu_ sm_aat_ sm_pat_ sm_sat_ shippo_ shpat_ shpca_ shppa_ shpss_ xapp- xoxa- xoxb- xoxe xoxo- xoxp-
  xoxr- xoxs- sgp_ sq0atp- sk_ rk_ tfp_ hvb. hvs. AQVN
  pk- ya29. dckr_pat_ whsec_ gsk_ nvapi-
`.trim().split(/\s+/);

/** The shortest word that counts as a key if it starts like one. */
const KEY_LENGTH_MIN = 12;

/** Whether a word starts like a key of a well-known service and is long enough to be one. */
export function isKnownKey(word: string): boolean {
  return word.length >= KEY_LENGTH_MIN && KEY_BEGINNINGS.some((beginning) => word.startsWith(beginning));
}
