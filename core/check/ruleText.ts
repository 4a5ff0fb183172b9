import { countOf, grouped } from '../view/words.ts';
import { kindOf, type Rule } from './schema.ts';

type At = 'end' | 'calls' | 'compactions' | number;

/** Where a rule looks, where it does not say. */
export function atOf(rule: Rule, usual: At = 'end'): At {
  return 'at' in rule && rule.at !== undefined ? rule.at : usual;
}

/** The limit of a rule that has one. */
export function maxOf(limit: number | { readonly max: number }): number {
  return typeof limit === 'number' ? limit : limit.max;
}

/** Where a limit on tokens is held: at every request unless it says otherwise. */
export function tokensAt(limit: number | { readonly at?: At | undefined }): At {
  return typeof limit === 'number' ? 'calls' : (limit.at ?? 'calls');
}

/** Up to where what adds up along the session is counted: the whole of it unless the rule says otherwise. */
export function countedTo(limit: number | { readonly at?: At | undefined }): At {
  return typeof limit === 'number' ? 'end' : (limit.at ?? 'end');
}

/** What a rule about secrets looks for: as written, with what it leaves out. */
export function secretsOf(given: Extract<Rule, { readonly secrets: unknown }>['secrets']) {
  const { max, kind = 'secret', tier = 'definite' } = typeof given === 'number' ? { max: given } : given;
  return { max, kind, tier };
}

/** A share as a number from 0 to 1. */
export function shareOf(given: number | string): number {
  return typeof given === 'number' ? given : Number(given.slice(0, -1)) / 100;
}

/** The name of a rule, for people: its own, else what it says. */
export function ruleName(rule: Rule): string {
  return rule.name ?? ruleText(rule);
}

/** A rule as a sentence: what must hold. */
export function ruleText(rule: Rule): string {
  if ('text' in rule) return `text “${cut(rule.text)}” is ${rule.state ?? 'present'} ${whereText(atOf(rule))}`;
  if ('watch' in rule) return `text “${cut(rule.watch)}” is never gone`;
  if ('uses_gone' in rule) return `uses gone${upToText(countedTo(rule.uses_gone))} ≤ ${maxOf(rule.uses_gone)}`;
  if ('tokens' in rule) {
    const at = tokensAt(rule.tokens);
    const most = maxOf(rule.tokens);
    return at === 'calls' ? `peak ≤ ${countOf(most, 'token')}` : `tokens ${whereText(at)} ≤ ${grouped(most)}`;
  }
  if ('cost' in rule) return `input cost${upToText(countedTo(rule.cost))} ≤ $${maxOf(rule.cost)}`;
  if ('cache_breaks' in rule) {
    return `cache breaks${upToText(countedTo(rule.cache_breaks))} ≤ ${maxOf(rule.cache_breaks)}`;
  }
  if ('fits' in rule) return rule.fits === true ? 'fits the window' : `fits a window of ${grouped(rule.fits)} tokens`;
  if ('valid_for' in rule) return `valid for ${rule.valid_for} ${whereText(atOf(rule))}`;
  if ('findings' in rule) {
    const { kind, max } = rule.findings;
    return `findings${kind === undefined ? '' : ` of kind ${kind}`} ≤ ${max}`;
  }
  if ('secrets' in rule) {
    const { kind, tier, max } = secretsOf(rule.secrets);
    const what = kind === 'secret' ? 'secrets' : `findings of ${kind}`;
    return `${tier === 'any' ? '' : `${tier} `}${what} ≤ ${max}`;
  }
  if ('survival' in rule) {
    return `survival of class ${rule.survival.class} ≥ ${percent(shareOf(rule.survival.min))} in every autopsy`;
  }
  if ('filter' in rule) {
    const { min, max } = rule.rows;
    const least = min === undefined ? [] : [`≥ ${min}`];
    const most = max === undefined ? [] : [`≤ ${max}`];
    return `messages that fit “${cut(rule.filter)}” ${[...least, ...most].join(' and ')}`;
  }
  return kindOf(rule) === 'baseline' ? 'equals the recorded baseline' : kindOf(rule);
}

/** Where, in words. */
export function whereText(at: At): string {
  if (at === 'end') return 'at the end';
  if (at === 'calls') return 'at every call';
  return at === 'compactions' ? 'after every compaction' : `at #${at}`;
}

/** Up to where, in words that follow a noun; empty of the whole session. */
export function upToText(at: At): string {
  if (at === 'end' || at === 'calls') return '';
  return at === 'compactions' ? ' up to the request after the last compaction' : ` up to the request at #${at}`;
}

/** 0.714 → 71%. Down: what is nearly a limit has not reached it. */
export function percent(share: number): string {
  return `${Math.floor(share * 100 + 1e-9)}%`;
}

function cut(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.length > 60 ? `${flat.slice(0, 59)}…` : flat;
}
