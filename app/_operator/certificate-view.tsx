import type { TracedCertificate } from '#lib/engine/engine.ts'
import { type Figures, formatMs } from '#lib/page/format.ts'
import { answerTexts } from '#lib/page/texts/answer.ts'
import { winnerOf } from '#lib/status/history-figures.ts'
import { ColumnHeads } from '../_ui/column-heads.tsx'
import { ScrollRegion } from '../_ui/scroll-region.tsx'
import stacked from '../_ui/stacked.module.css'
import box from '../_ui/warning.module.css'
import styles from './certificate-view.module.css'

type View = TracedCertificate & { readonly figures: Figures }

/** The certificate of one answer: the requests with their times, the replies and their differences. */
export function CertificateView(view: View) {
  return (
    <div className={styles.certificate} translate="no">
      <Facts {...view} />
      <Timeline {...view} />
      <Groups {...view} />
      <Differences {...view} />
    </div>
  )
}

function Facts({ figures, ...certificate }: View) {
  const { id, startMs, endMs, rule, agreed, needed, total, block, confirmation, traceId } = certificate
  const texts = answerTexts.facts
  const facts = [
    [texts.result, answerTexts.result(certificate)],
    [
      texts.weights,
      answerTexts.weights(figures.weight(agreed), figures.weight(total), figures.weight(needed)),
    ],
    [texts.rule, rule],
    [texts.block, block === null ? answerTexts.noBlock : figures.block(block.number)],
    [texts.took, formatMs(endMs - startMs)],
    [texts.at, new Date(startMs).toISOString().replace('T', ' ').slice(0, 23)],
    [texts.id, id],
    ...(traceId === null ? [] : [[texts.trace, traceId] as const]),
  ] as const
  return (
    <>
      <dl className={styles.facts}>
        {facts.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p>{answerTexts.policy(certificate)}</p>
      {certificate.isThin && <p className={box.warning}>{answerTexts.thin}</p>}
      {confirmation && <p>{answerTexts.confirmation(String(Number(confirmation.gas)))}</p>}
    </>
  )
}

/** A bar from each request to its reply, on one scale. The table next to it has the same numbers. */
function Timeline({ requests, startMs, endMs, resultSha256, groups }: View) {
  const { timelineColumns } = answerTexts
  const winner = winnerOf({ resultSha256, groups })
  const whole = Math.max(1, ...requests.map((request) => (request.endMs ?? endMs) - startMs), endMs - startMs)
  const at = (ms: number) => Math.max(0, Math.min(1000, ((ms - startMs) / whole) * 1000))
  return (
    <section>
      <h3>{answerTexts.timeline}</h3>
      <ScrollRegion label={answerTexts.timeline} className={styles.scroll}>
        <table className={`${styles.timeline} ${stacked.table}`}>
          <ColumnHeads columns={timelineColumns}>
            <td />
          </ColumnHeads>
          <tbody>
            {requests.map((request) => {
              const { node, outcome, detail, group, stalledMs } = request
              const width = Math.max(4, at(request.endMs ?? endMs) - at(request.startMs))
              const vote = group === winner ? 'answered' : 'other'
              return (
                <tr key={`${node} ${request.startMs}`}>
                  <th scope="row">{node}</th>
                  <td data-label={timelineColumns[1]}>{formatMs(request.startMs - startMs)}</td>
                  <td data-label={timelineColumns[2]}>
                    <span>
                      {request.endMs === null ? answerTexts.notEnded : formatMs(request.endMs - startMs)}
                    </span>
                    {stalledMs !== null && (
                      <small>{answerTexts.stalled(formatMs(stalledMs - startMs))}</small>
                    )}
                  </td>
                  <td>
                    <span>{answerTexts.outcome[outcome]}</span>
                    {detail && <small>{detail}</small>}
                  </td>
                  <td>{group === null ? '–' : answerTexts.group(group)}</td>
                  <td className={styles.bar} aria-hidden="true">
                    <svg aria-hidden="true" viewBox="0 0 1000 16" preserveAspectRatio="none">
                      <path className={styles.line} d="M0 8h1000" />
                      <rect
                        data-outcome={outcome}
                        data-vote={group === null ? undefined : vote}
                        x={Math.min(at(request.startMs), 996)}
                        y="2"
                        width={width}
                        height="12"
                      />
                      {stalledMs !== null && <path className={styles.stall} d={`M${at(stalledMs)} 0v16`} />}
                      <path className={styles.decided} d={`M${at(endMs)} 0v16`} />
                    </svg>
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  )
}

function Groups({ groups, resultSha256, figures }: View) {
  const winner = winnerOf({ resultSha256, groups })
  return (
    <section>
      <h3>{answerTexts.groups}</h3>
      {groups.length === 0 && <p>{answerTexts.noGroups}</p>}
      <ul className={styles.groups}>
        {groups.map(({ weight, nodes, text, sha256 }, index) => (
          <li key={sha256} data-winner={index === winner}>
            <p>
              <strong>{answerTexts.group(index)}</strong> {nodes.join(', ')}{' '}
              <small>
                <span>{answerTexts.groupWeight(figures.weight(weight))}</span>
                {index === winner && <span>{`, ${answerTexts.winner}`}</span>}
              </small>
            </p>
            <ScrollRegion label={answerTexts.group(index)} className={styles.confirmation}>
              <pre>{text}</pre>
            </ScrollRegion>
            <small>
              <span>{answerTexts.digest}</span> <code>{sha256}</code>
            </small>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Differences({ difference, groups }: View) {
  if (difference.length === 0) return null
  return (
    <section>
      <h3>{answerTexts.differences}</h3>
      <ScrollRegion label={answerTexts.differences} className={styles.scroll}>
        <table className={`${styles.differences} ${stacked.table}`}>
          <thead>
            <tr>
              <td />
              {groups.map(({ sha256, nodes }, index) => (
                <th key={sha256} scope="col">
                  <span>{answerTexts.group(index)}</span> <small>{nodes.join(', ')}</small>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {difference.map(({ path, values }) => (
              <tr key={path}>
                <th scope="row">{path === '' ? answerTexts.whole : path}</th>
                {groups.map(({ sha256 }, index) => (
                  <td key={sha256} data-label={answerTexts.group(index)}>
                    {values[index] === null || values[index] === undefined ? (
                      <em>{answerTexts.absent}</em>
                    ) : (
                      <code>{values[index]}</code>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  )
}
