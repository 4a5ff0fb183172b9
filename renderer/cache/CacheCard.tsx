import { Coins } from 'lucide-react';
import { Popover } from 'radix-ui';
import { termsOf } from '../../core/protocol/seriesTypes.ts';
import type { Series } from '../../core/protocol/types.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { formatCount, formatTokens, plural } from '../ui/format.ts';
import { CacheBreak, CacheLoss } from './CacheBreak.tsx';
import { CacheRecorded } from './CacheRecorded.tsx';
import type { CacheCell } from './cells.ts';
import { describeEvidence, describeRecorded, describeUnknown, formatPrice, modelName } from './words.ts';

interface Props {
  readonly cell: CacheCell;
  readonly x: number;
  readonly series: Series;
  readonly onClose: () => void;
}

const PROVIDER_NAMES = { anthropic: 'Anthropic', openai: 'OpenAI', google: 'Google' } as const;

/** A request's cache explained: what is kept, what broke it, what that costs, with ways to the places. */
export function CacheCard({ cell, x, series, onClose }: Props) {
  const { setAt, openDialog } = useActions();
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const { point } = cell;
  const isNext = point.at >= messages;
  return (
    <Popover.Root open onOpenChange={(open) => !open && onClose()}>
      <Popover.Anchor className="cache-anchor" style={{ left: x }} />
      <Popover.Portal>
        <Popover.Content
          className="popover cache-card"
          side="bottom"
          sideOffset={4}
          collisionPadding={8}
          data-testid="cache-card"
          onClick={(event) => event.stopPropagation()}
        >
          <h3>
            {isNext ? 'Next request' : `Call #${point.at}`} <span className="faint">turn {point.turn}</span>
          </h3>
          <Explained cell={cell} series={series} />
          <div className="cache-actions">
            <button
              type="button"
              className="button"
              onClick={() => {
                setAt(isNext ? null : point.at);
                onClose();
              }}
            >
              Go to this call
            </button>
            <button
              type="button"
              className="button"
              data-testid="cache-prices"
              onClick={() => {
                onClose();
                openDialog({ kind: 'prices' });
              }}
            >
              <Coins size={13} aria-hidden /> Prices…
            </button>
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Explained({ cell, series }: { readonly cell: CacheCell; readonly series: Series }) {
  const { cache } = cell.point;
  const { provenance, models, cacheEvidence } = series;
  const { model, price, rule } = termsOf(cell.point, models);
  const { recorded } = cell.point;
  if (!cache) {
    return (
      <>
        <p className="mute">
          {cache === null
            ? 'The first request: there is nothing before it to keep.'
            : `This request is ${describeUnknown(series)}.`}
        </p>
        <CacheRecorded point={cell.point} />
      </>
    );
  }
  const tokens = (count: number) => formatTokens(count, provenance);
  const above = price?.above?.findLast((step) => cell.total > step.tokens);
  const rates = above ?? price;
  const step = above ? `, above ${formatCount(above.tokens)} tokens` : '';
  const said = recorded ? describeRecorded(recorded) : null;
  return (
    <>
      <dl className="cache-figures num">
        {models.length > 1 && model !== null && <Figure name="Model" value={modelName(model)} />}
        <Figure
          name="Common beginning"
          value={`${tokens(cache.prefixTokens)} tok, ${plural(cache.prefixMessages, 'message')}`}
        />
        {rule && (
          <Figure name={`Served by ${PROVIDER_NAMES[rule.provider]}`} value={`${tokens(cache.servedTokens)} tok`} />
        )}
        {said !== null && <Figure name="Recorded" value={said.slice('recorded: '.length)} />}
        <Figure name="Written" value={`${tokens(cache.writtenTokens)} tok`} />
        <Figure name="Request" value={`${tokens(cell.total)} tok`} />
      </dl>
      <CacheBreak cell={cell} series={series} />
      <CacheLoss cell={cell} series={series} />
      <CacheRecorded point={cell.point} />
      <p className="faint">{describeEvidence(cacheEvidence, rule)}</p>
      {price && rates && (
        <p className="faint num">
          {price.model}: {formatPrice(rates.input)} fresh, {formatPrice(rates.cachedRead)} from the cache,{' '}
          {formatPrice(rates.cacheWrite)} written to it
          {rates.cacheWrite1h !== undefined && ` (${formatPrice(rates.cacheWrite1h)} for an hour)`}
          {rates.output !== undefined && `, ${formatPrice(rates.output)} of an answer`}, per million tokens
          {step}.
        </p>
      )}
    </>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <dt className="mute">{name}</dt>
      <dd>{value}</dd>
    </>
  );
}
