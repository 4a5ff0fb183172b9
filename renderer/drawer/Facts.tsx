import type { ReactNode } from 'react';
import { describeTransformation, type InputTransformation } from '../../core/model/inputTransformations.ts';
import type { MessageDetail } from '../../core/protocol/types.ts';
import { CorrelationFacts } from '../correlation/CorrelationFacts.tsx';
import { FilterValue } from '../filter/FilterValue.tsx';
import { CopyButton } from '../parts/CopyButton.tsx';
import { ChildLinkOf } from '../relations/SpawnLink.tsx';
import { useChild } from '../relations/useChild.ts';
import { useActions } from '../state/context.tsx';
import { useFigure } from '../state/useUsage.ts';
import { Breakable } from '../ui/Breakable.tsx';
import { formatBytes, formatCount, shortHash } from '../ui/format.ts';
import { baseName } from '../ui/problemPlace.ts';
import { Seen } from '../ui/Seen.tsx';
import { Time } from '../ui/Time.tsx';
import { describeFigure } from '../usage/usageText.ts';
import { describePair, describeUsage } from './facts.ts';
import { PointerFact } from './PointerFact.tsx';

/** What speaks for the fate, and where the message comes from. Every place is a link. */
export function Facts({ detail }: { readonly detail: MessageDetail }) {
  const { goToMessage } = useActions();
  const { fate, meta } = detail;
  const because = fate.because;
  const usage = meta.usage ? describeUsage(meta.usage) : '';
  return (
    <dl className="facts">
      {fate.evidence !== null && (
        <Fact name="Evidence">
          <span className="mono">{fate.evidence}</span>
        </Fact>
      )}
      {because !== null && (
        <Fact name="Because of">
          <Jump index={because} />
        </Fact>
      )}
      {fate.rule !== null && (
        <Fact name="Rule">
          <FilterValue field="rule" value={fate.rule}>
            <span className="mono">
              <Breakable text={fate.rule} after="_" />
            </span>
          </FilterValue>
        </Fact>
      )}
      {detail.pairs.map((pair) => (
        <Fact key={`${pair.part} ${pair.index}`} name={describePair(detail, pair.part)}>
          <button type="button" className="link" onClick={() => void goToMessage(pair.index, pair.otherPart)}>
            #{pair.index}
          </button>
        </Fact>
      ))}
      {detail.parts.map(({ part, callId }) => (
        <StartedFact key={part} callId={callId} />
      ))}
      {fate.pointers.map((pointer) => (
        <PointerFact key={pointer.source} pointer={pointer} />
      ))}
      {detail.origins.map((origin) => (
        <Fact key={`${origin.file} ${origin.byteStart}`} name="Source">
          <span title={origin.file}>
            <Seen text={baseName(origin.file)} />:{origin.line}
          </span>{' '}
          <span className="faint nowrap">
            byte {formatCount(origin.byteStart)}, {formatBytes(origin.byteEnd - origin.byteStart)}
          </span>
        </Fact>
      ))}
      <OriginFacts meta={meta} />
      {meta.timestamp !== null && (
        <Fact name="Time">
          <Time iso={meta.timestamp} />
        </Fact>
      )}
      {meta.model !== null && (
        <Fact name="Model">
          <Seen text={meta.model} />
        </Fact>
      )}
      {usage !== '' && <Fact name="Recorded usage">{usage}</Fact>}
      <FigureFact index={detail.index} isRecorded={usage !== ''} />
      {meta.stopReason !== null && <Fact name="Stop reason">{meta.stopReason}</Fact>}
      <TransformedFacts list={meta.inputTransformations ?? []} />
      <CorrelationFacts key={detail.index} refs={detail.refs} />
      <Fact name="Content">
        <span className="nowrap">
          <span className="mono">{shortHash(detail.contentHash)}</span>
          <CopyButton text={detail.contentHash} label="Copy the content hash" />
        </span>
      </Fact>
    </dl>
  );
}

/** Who put the message there, if not simply its role. */
function OriginFacts({ meta: { origin, injected } }: { readonly meta: MessageDetail['meta'] }) {
  if (origin === null) return injected && <Fact name="Written by">the client, not a person</Fact>;
  return (
    <>
      <Fact name="Origin">
        {origin.title} {origin.type !== null && <span className="mono faint nowrap">{origin.type}</span>}
      </Fact>
      {origin.words !== null && origin.words !== '' && <Fact name="A person wrote">{origin.words}</Fact>}
    </>
  );
}

/** The request that the message answers: what was recorded beside what the history amounts to. */
function FigureFact({ index, isRecorded }: { readonly index: number; readonly isRecorded: boolean }) {
  const figure = useFigure(index, isRecorded);
  return figure && <Fact name="Request">{describeFigure(figure)}</Fact>;
}

/** What the provider did to the thinking of the request that the message answers. */
function TransformedFacts({ list }: { readonly list: readonly InputTransformation[] }) {
  return list.map((each) => (
    <Fact key={`${each.path} ${each.type}`} name="Provider">
      {describeTransformation(each)}
    </Fact>
  ));
}

/** The sub-agent that a call of the message started; of any other part nothing. */
function StartedFact({ callId }: { readonly callId: string | null }) {
  const child = useChild(callId);
  return (
    child && (
      <Fact name="Started">
        <ChildLinkOf child={child} />
      </Fact>
    )
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="fact">
      <dt>
        <Breakable text={name} after="_" />
      </dt>
      <dd>{typeof children === 'string' ? <Seen text={children} /> : children}</dd>
    </div>
  );
}

function Jump({ index }: { readonly index: number }) {
  const { goToMessage } = useActions();
  return (
    <button type="button" className="link" onClick={() => void goToMessage(index)}>
      #{index}
    </button>
  );
}
