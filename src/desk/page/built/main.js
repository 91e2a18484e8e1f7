import{b as N}from"./chunk-82f0cfc2.js";import{a as k,b,c as U,e as x,f as R,g as A,h as v,i as X}from"./chunk-28b06278.js";import{a as Y}from"./chunk-d2b76c1e.js";import{a as K,b as V,c as s,d as m,e as h,f as y,g as L,j as S,k as J,l as T,m as B,n as H,o as O}from"./chunk-613b549e.js";import"./chunk-ff9e0dca.js";function Q({onKnown:e}){let[t,n]=m(""),r=y(null);return h(()=>r.current?.focus(),[]),s`
    <main id="main" class="key">
      <h1>Dragoman</h1>
      <form onSubmit=${async a=>{a.preventDefault();try{await T("session",r.current?.value.trim()),e()}catch(i){n(S(i))}}}>
        <label for="key">Key</label>
        <input id="key" ref=${r} type="password" autocomplete="current-password" required
          aria-describedby="key-help" />
        <button>Open</button>
        <p id="key-help" class="quiet">
          The key of <code>admin.key_env</code> in dragoman.yaml, or a client key on this machine.
        </p>
        <p role="alert" class="bad">${t}</p>
      </form>
    </main>
  `}function z({servers:e=[],learnedTools:t=[]}){return[...e.map(({upstream:n,server:r,version:o=""})=>`${n}: ${r} ${o}`.trim()),...t.map(({upstream:n,model:r,reason:o,dialect:a})=>{let i=a===""?"read raw":`tools in the prompt (${a})`;return`${n}, ${r||"any model"}: ${i}, because of ${ke[o]??o}`})].join(`
`)}var ke={refused:"a refused request",leaked:"calls in the text",unparsed:"the server's parser"};function G({onEnded:e}){let{value:t}=v("session");return t?.session!==!0?null:s`<button onClick=${()=>void B("session").then(e,e)}>Sign out</button>`}var xe={live:"live: converted",dry_run:"dry run: not converted",excluded:"excluded by the canary: not converted"};function Z(){let{value:e,error:t}=v("figures",5e3);if(t!==void 0&&e===void 0)return s`<p class="empty bad">${t.message}</p>`;if(e===void 0)return s`<p class="empty">Loading…</p>`;let{canary:n,modes:r}=e;return s`
    <h1>Canary</h1>
    ${n===null?s`<p class="notice">There are no answers on both sides yet. With <code>policy.rollout_percent</code> below
          100, only this share of conversations is converted, and this page compares the sides.</p>`:s`<p class="notice"><strong>${n.sentence}</strong> The live side has ${U(n.share)} of the
          answers.</p>`}
    <${X} kind="mode" rows=${r.map(o=>({...o,name:xe[o.name]??o.name}))} />
  `}var ee=["text","client","model","upstream","state"];var M=class{#e=new Map;apply({isWhole:t,requests:n}){t&&this.#e.clear();for(let r of n)this.#e.set(r.id,r);for(let r of this.#e.keys()){if(this.#e.size<=500)break;this.#e.delete(r)}}get(t){return this.#e.get(t)}get latest(){return[...this.#e.values()].reverse()}};function te(e,t){let n=t.text.toLowerCase().split(/\s+/).filter(r=>r!=="");return e.filter(r=>(t.client===""||(r.client??"none")===t.client)&&(t.model===""||r.model===t.model)&&(t.upstream===""||r.upstream===t.upstream)&&(t.state===""||Te(r,t.state))&&(n.length===0||Oe(r,n)))}function ne(e){let t=n=>[...new Set(e.flatMap(r=>n(r)??[]))].slice(0,50).sort();return{client:t(({client:n,route:r})=>r===null?n??"none":null),model:t(({model:n})=>n),upstream:t(({upstream:n})=>n)}}function Se({refused:e,nearMisses:t,failed:n,repaired:r,rejected:o}){return Object.keys(e).length>0||t>0||n>0||r>0||o>0}function E({state:e}){return e==="waiting"||e==="streaming"}function Te(e,t){return t==="running"?E(e):t==="noted"?Se(e):e.state===t}function Oe(e,t){let{client:n,model:r,upstream:o,error:a,route:i,called:l,refused:c,status:d,mode:p,id:u}=e,f=e.nearMisses>0?"near miss":"",$=[n,r,o,a,i,...l,...Object.keys(c),d,p,f,u].join(`
`).toLowerCase();return t.every(g=>$.includes(g))}var Ee=2e3,Re=50,Ce={requests:[],hasContents:!1,state:"connecting"};function re(){let[e,t]=m(Ce),n=y(new M).current;return h(()=>{let r,o,a,i=0,l=-1/0,[c,d]=[!1,!1],p=()=>{a=void 0,d&&(setTimeout(()=>l=performance.now()),t({requests:n.latest,hasContents:c,state:"open"}))},u=()=>{let w=Math.max(0,Re-(performance.now()-l));a??=setTimeout(()=>i=requestAnimationFrame(p),w)},f=()=>{r?.close(),r=void 0,d=!1},$=()=>{clearTimeout(o),!(document.hidden||r!==void 0)&&(r=new EventSource("live"),r.onmessage=({data:w})=>{let C=JSON.parse(w);n.apply(C),[c,d]=[C.hasContents,!0],u()},r.onerror=()=>{f(),t(w=>({...w,state:"lost"})),o=setTimeout($,Ee)})},g=()=>document.hidden?f():$();return $(),document.addEventListener("visibilitychange",g),()=>{document.removeEventListener("visibilitychange",g),f(),clearTimeout(o),clearTimeout(a),cancelAnimationFrame(i)}},[]),e}function se(e){let[t,n]=m(),r=y({...e,selected:t});return r.current={...e,selected:t},h(()=>{let o=a=>{if(a.ctrlKey||a.metaKey||a.altKey||a.defaultPrevented)return;let{ids:i,opened:l,open:c,selected:d}=r.current,p=Le(a,Ne(a.target)),u=a.target?.closest?.("a, button, summary")!=null;if(!(p===void 0||p==="open"&&u))if(p==="filter")a.preventDefault(),document.getElementById("filter")?.focus();else if(p==="leave")a.target.blur();else if(p==="close")c("");else if(p==="open")d!==void 0&&c(d);else{let f=Ae(i,{from:d??l,step:p});n(f),l!==void 0&&f!==void 0&&c(f),document.getElementById(`row-${f}`)?.scrollIntoView({block:"nearest"})}};return addEventListener("keydown",o),()=>removeEventListener("keydown",o)},[]),t}function Le({key:e},t){if(t)return e==="Escape"?"leave":void 0;switch(e){case"j":return 1;case"k":return-1;case"Enter":return"open";case"Escape":return"close";case"/":return"filter"}}function Ae(e,{from:t,step:n}){let r=t===void 0?-1:e.indexOf(t);return r<0?e[0]:e[Math.min(e.length-1,Math.max(0,r+n))]}function Ne(e){return e instanceof HTMLElement&&(e.isContentEditable||/^(?:INPUT|SELECT|TEXTAREA)$/.test(e.tagName))}var P={waiting:"waiting",streaming:"streaming",done:"done",error:"error",left:"client left"},I=class extends K{shouldComponentUpdate(t){let{request:n,isOpened:r,isSelected:o}=this.props;return t.request!==n||t.isOpened!==r||t.isSelected!==o}render({request:t,isOpened:n,isSelected:r,open:o}){let{id:a,state:i,beganAt:l,model:c,client:d,upstream:p,status:u,firstMs:f,durationMs:$,route:g}=t,w=C=>{C.preventDefault(),o(a)};return s`
      <tr id=${`row-${a}`} class=${`${i} ${r?"selected":""}`} aria-current=${n?"true":void 0} onClick=${w}>
        <td class="c-state"><span class=${`dot ${i}`}></span><span class="word">${P[i]}</span></td>
        <td class="c-time"><a href=${`#/live?request=${a}`} aria-label=${`Open the request of ${R(l)}`}>${R(l)}</a></td>
        <td class="c-model" title=${c??""}><span>${g===null?c??k:s`<code>${g}</code>`}</span></td>
        <td class="c-client">${d??k}</td>
        <td class="c-upstream">${p??k}</td>
        <td class="number c-status">${u??"\u2026"}</td>
        <td class="number c-first">${b(f)}</td>
        <td class="number c-total">${$===null?"\u2026":b($)}</td>
        <td class="c-calls">
          <${W} request=${t} />
        </td>
      </tr>
    `}};function W({request:e}){let{calls:t,called:n,refused:r,failed:o,repaired:a,nearMisses:i,accepted:l,rejected:c,error:d,mode:p}=e,u=Object.values(r).reduce(($,g)=>$+g,0),f=p==="live"?"":" (not converted)";return s`
    ${t>0&&s`<span class=${`chip ${p==="live"?"good":"plain"}`} title=${n.join(", ")}>${x(t,"call")}${f}</span>`}
    ${l>0&&s`<span class="chip good">${l} accepted</span>`}
    ${c>0&&s`<span class="chip bad">${c} rejected</span>`}
    ${u>0&&s`<span class="chip warn" title=${Object.keys(r).join(", ")}>${u} refused: ${Object.keys(r)[0]}</span>`}
    ${o>0&&s`<span class="chip bad">${o} broke off</span>`}
    ${a>0&&s`<span class="chip plain">${a} repaired</span>`}
    ${i>0&&s`<span class="chip warn">${x(i,"near miss","near misses")}</span>`}
    ${d!==null&&s`<span class=${`chip ${d==="client_left"?"plain":"bad"}`}>${d}</span>`}
  `}function oe({client:e,isStreamed:t},{chat:n,origin:r}){let o=e===null?"/v1/chat/completions":`/${e}/v1/chat/completions`;return`curl ${t?"-N ":""}${r}${o} \\
  -H 'content-type: application/json' \\
  --data-raw ${Me(n)}
`}function Me(e){return`'${e.replaceAll("'","'\\''")}'`}function ae({request:e,detail:t}){let[n,r]=m(""),[o,a]=m(!1),i=t?.contents;if(i==null)return null;let{chat:l,before:c}=i,d=c.map(u=>u.text).join("");return s`
    <span class="actions">
      <span role="status" class="quiet">${o?"Copied":""}</span>
      ${l!==null&&s`<button onClick=${async()=>{let u=oe(e,{chat:l??"",origin:location.origin}),$=await navigator.clipboard?.writeText(u).then(()=>!0,()=>!1)??!1;a($),r($?"":u)}} title="The command has no key">Copy as curl</button>`}
      ${d!==""&&s`
        <a class="button" href="#/playground?from=live"
          onClick=${()=>void Y({text:d,client:e.client,chat:l})}>Open in the playground</a>
      `}
    </span>
    ${n!==""&&s`<textarea class="command" readonly aria-label="The command" value=${n}></textarea>`}
  `}var Ie=200;function ie(e){let{messages:t,tools:n,...r}=JSON.parse(e);return[le("settings",JSON.stringify(r,null,2)),...Array.isArray(n)?[je(n)]:[],...Array.isArray(t)?t.map(_e):[]]}function je(e){let t=e.map(n=>Reflect.get(Object(Reflect.get(Object(n),"function")??n),"name"));return{title:x(e.length,"tool"),summary:t.join(", "),text:JSON.stringify(e,null,2)}}function _e(e){let{role:t,content:n,...r}=Object(e),o=qe(n),a=Object.keys(r).length===0?"":JSON.stringify(r,null,2);return le(String(t??"message"),[o,a].filter(i=>i!=="").join(`

`))}function qe(e){return typeof e=="string"?e:e==null?"":Array.isArray(e)?e.map(t=>{let n=Reflect.get(Object(t),"text");return typeof n=="string"?n:JSON.stringify(t)}).join(`

`):JSON.stringify(e,null,2)}function le(e,t){return{title:e,summary:t.replace(/\s+/g," ").trim().slice(0,Ie),text:t}}function ce({chat:e}){let t=L(()=>ie(e),[e]);return s`
    <section class="parts" aria-labelledby="parts-title">
      <h2 id="parts-title">The request</h2>
      ${t.map(({title:n,summary:r,text:o})=>s`
          <details>
            <summary><strong>${n}</strong><span class="quiet">${r}</span></summary>
            <pre>${o}</pre>
          </details>
        `)}
    </section>
  `}function j(e){let t=N(e);switch(t.kind){case"decision":return t.outcome;case"repair":return"repaired";case"remark":case"plugin":return"noted"}}var _={call:"call",refused:"left as text",near:"near miss",broken:"broke off",repair:"repair",remark:"remark"};function q(e,t){if(e==="near_miss")return"near";switch(t){case"transformed":case"would_transform":return"call";case"abstained":return"refused";case"failed":return"broken";case"repaired":return"repair";case"noted":return"remark"}}function ue({marks:e,isRunning:t,focused:n,focus:r}){return e===null?s`<p class="empty">The decisions of this request aren't kept anymore.</p>`:e.length===0?s`<p class="empty">${t?"No decisions yet.":"No decisions: nothing looked like a call."}</p>`:s`
    <h2>Decisions, repairs and remarks</h2>
    <ol class="marks">${e.map((o,a)=>s`
        <li class=${a===n?"focused":""} onMouseEnter=${()=>r(a)}
          onMouseLeave=${()=>r(void 0)}>
          <${De} mark=${o} />
        </li>
      `)}</ol>
  `}function De({mark:{reason:e,rule:t,tool:n,detail:r,atMs:o,characters:a}}){let i=q(e,j(e)),l=[n===null?"":n,t===""?"":`rule ${t}`,r??"",a===null?"":`${a} characters`].filter(c=>c!=="").join(" \xB7 ");return s`
    <span class=${`chip ${i}`}>${_[i]}</span>
    <code>${e}</code>
    <span>${l}</span>
    <span class="quiet">after ${b(o)}</span>
    <span class="quiet block">${N(e)?.meaning}</span>
  `}var Fe=["call","broken","near","refused","repair","remark"];function de({parts:e,isRunning:t,marks:n,focused:r,focus:o}){return e.every(({text:a})=>a==="")?s`<p class="empty">${t?"No text yet.":"The answer has no text."}</p>`:s`
    <pre class="text" tabindex="0" aria-label="What the model wrote">${e.map(a=>{let i=a.marks.flatMap(u=>n[u]===void 0?[]:[n[u]]);if(i.length===0)return a.text;let l=i.map(({reason:u})=>q(u,j(u))),c=Fe.find(u=>l.includes(u))??"remark",d=i.map(({reason:u,rule:f})=>`${u} (${f})`).join(`
`),p=r!==void 0&&a.marks.includes(r);return s`
        <mark class=${`${c} ${p?"focused":""}`} title=${`${_[c]}: ${d}`}
          onMouseEnter=${()=>o(a.marks[0])} onMouseLeave=${()=>o(void 0)}>${a.text}</mark>
      `})}</pre>
  `}function pe({parts:e,isRunning:t}){return e.length===0?s`<p class="empty">${t?"Nothing yet.":"The answer has no text and no call."}</p>`:s`
    <div class="text" tabindex="0" role="region" aria-label="What the client got">${e.map(n=>n.tool===null?Pe(n):s`<${Ke} part=${n} tool=${n.tool} />`)}</div>
  `}function Pe({text:e,call:t,isReasoning:n}){return n?s`<pre class="reasoning" title="Reasoning">${e}</pre>`:t===null?s`<pre>${e}</pre>`:s`<pre class="written"><mark class="call">${e}</mark></pre>`}var We={open:"is still written",done:"whole",broken:"broke off"};function Ke({part:e,tool:t}){let{text:n,state:r}=e;return s`
    <div class=${`made ${r==="broken"?"broken":""}`}>
      <div class="head"><strong>${t}</strong><span class="quiet">tool call, ${r&&We[r]}</span></div>
      <pre>${Ve(n)}</pre>
    </div>
  `}function Ve(e){try{return JSON.stringify(JSON.parse(e),null,2)}catch{return e}}var Ue=300;function me({request:e,hasContents:t,close:n}){let{detail:r,failure:o}=Xe(e),[a,i]=m(),l=y(null);h(()=>l.current?.focus(),[]);let c=r?.contents??null,d=He(e,{hasContents:t,detail:r});return s`
    <article class="request" aria-labelledby="request-title">
      <div class="bar">
        <button class="close" onClick=${n} title="Close (Esc)">Close</button>
        <h1 id="request-title" tabindex="-1" ref=${l}>
          <span class=${`dot ${e.state}`}></span>${e.route??e.model??"A request without a model"}
        </h1>
        <${ae} request=${e} detail=${r} />
      </div>
      <${Je} request=${e} />
      ${e.state==="error"&&s`
        <p class="notice bad">The request ended with status ${e.status}${e.error!==null&&s`, error <code>${e.error}</code>`}${e.message!==null&&s`: ${e.message}`}.</p>
      `}
      ${o!==""&&s`<p class="notice bad" role="alert">${o}</p>`}
      ${c===null||d!==void 0?s`<p class="notice">${d}</p>`:s`
        <div class="sides">
          <section aria-labelledby="before-title">
            <h2 id="before-title">Before: what the model wrote</h2>
            <${de} parts=${c.before} isRunning=${E(e)} marks=${r?.marks??[]} focused=${a}
              focus=${i} />
          </section>
          <section aria-labelledby="after-title">
            <h2 id="after-title">After: what the client ${e.mode==="live"?"got":"would have got"}</h2>
            <${pe} parts=${c.after} isRunning=${E(e)} />
          </section>
        </div>
        ${c.isCut&&s`<p class="notice">The texts are long; only their beginnings are kept.</p>`}
      `}
      ${r!==void 0&&e.client!==null&&s`
        <${ue} marks=${r.marks} isRunning=${E(e)} focused=${a} focus=${i} />
      `}
      ${c?.chat!=null&&s`<${ce} chat=${c.chat} />`}
    </article>
  `}function Je({request:e}){let{client:t,wire:n,upstream:r,mode:o,status:a,firstMs:i,durationMs:l,addedMs:c,tools:d,beganAt:p,state:u,isStreamed:f}=e,$=[["State",P[u]],["Status",a??"\u2026"],["Arrived",R(p)],["First token",b(i)],["Total",l===null?"\u2026":b(l)],["Dragoman\u2019s share",b(c)],["Client",t??"unknown"],["API",n??k],["Upstream",r??k],["Offered tools",d],["Answer",f?"streamed":"whole"],["Mode",{live:"live",dry_run:"dry run",excluded:"excluded by the canary"}[o]]];return s`
    <dl class="facts">${$.map(([g,w])=>s`
        <div>
          <dt>${g}</dt>
          <dd>${w}</dd>
        </div>
      `)}</dl>
    <${Be} request=${e} />
    <p class="remarks">
      <${W} request=${e} />
    </p>
  `}function Be({request:{firstMs:e,durationMs:t}}){if(t===null||e===null||t<=0)return null;let n=Math.min(100,e/t*100);return s`
    <div class="timing" role="img" aria-label=${`${b(e)} until the first token, ${b(t-e)} of answer`}>
      <span class="wait" style=${{width:`${n}%`}}></span><span class="flow" style=${{width:`${100-n}%`}}></span>
    </div>
  `}function He({client:e,route:t,upstream:n,choices:r},{hasContents:o,detail:a}){if(a===void 0)return"Loading\u2026";let i=a.contents!==null;return t!==null||n===null?"This request isn't a chat, or it was refused before it reached a model.":!i&&!o?"Texts aren't kept. To see what the model wrote next to what the client got, set `admin.contents: true` in dragoman.yaml.":e===null?"The client is unknown, so the answer passed unchanged.":r!==1?`The request asks for ${r} answers. Their texts would run into each other, so they aren't kept.`:i?void 0:"The texts of this request aren't kept anymore."}function Xe(e){let[t,n]=m(),[r,o]=m(""),a=y(-1),{id:i,accepted:l,rejected:c}=e,d=E(e);return h(()=>{let p=!0,u=async()=>{try{let $=await J(`live/${encodeURIComponent(i)}?version=${a.current}`);if(!p||(o(""),$===void 0))return;a.current=$.version,n($)}catch($){p&&o(S($))}};u();let f=d?setInterval(()=>document.hidden||void u(),Ue):void 0;return()=>{p=!1,clearInterval(f)}},[i,d,l,c]),{detail:t,failure:r}}var Ye=60;function fe({parameters:e}){let t=re(),n=Object.fromEntries(ee.map(u=>[u,e.get(u)??""])),r=L(()=>te(t.requests,n),[t.requests,e.toString()]),o=Qe(t.requests,e.get("request")),[a,i]=m(!1),l=a?r:r.slice(0,Ye),c=u=>{location.replace(O("live",{...Object.fromEntries(e),...u}))},d=u=>c({request:u}),p=se({ids:l.map(({id:u})=>u),opened:o?.id,open:d});return s`
    <div class=${`live ${o===void 0?"":"split"}`}>
      <section class="list" aria-label="Requests">
        ${o===void 0&&s`<h1 class="unseen">Requests</h1>`}
        <${Ge} filter=${n} requests=${t.requests} go=${c} />
        <${Ze} live=${t} shown=${r.length} />
        <${et} requests=${l} opened=${o?.id} selected=${p} open=${d} />
        ${l.length<r.length&&s`
          <button class="more" onClick=${()=>i(!0)}>Show ${r.length-l.length} more</button>
        `}
      </section>
      ${o!==void 0&&s`
        <${me}
          key=${o.id} request=${o} hasContents=${t.hasContents} close=${()=>d("")} />
      `}
    </div>
  `}function Qe(e,t){let n=y(),r=n.current?.id===t?n.current:void 0;return n.current=e.find(o=>o.id===t)??r}var ze={running:"running",done:"done",error:"error",left:"client left",noted:"with remarks"};function Ge({filter:e,requests:t,go:n}){let r=ne(t),o=l=>c=>n({[l]:c.target.value}),a=(l,c,d)=>s`
      <select aria-label=${c} value=${e[l]} onChange=${o(l)}>
        <option value="">${c}</option>
        ${d.map(([p,u])=>s`<option value=${p}>${u}</option>`)}
      </select>
    `,i=l=>[...new Set([...r[l],...e[l]===""?[]:[e[l]]])].map(c=>[c,c]);return s`
    <form class="filter" role="search" onSubmit=${l=>l.preventDefault()}>
      <input id="filter" type="search" placeholder="Filter ( / )" aria-label="Filter by text" value=${e.text}
        onInput=${o("text")} />
      ${a("client","All clients",i("client"))}
      ${a("model","All models",i("model"))}
      ${a("upstream","All upstreams",i("upstream"))}
      ${a("state","All states",Object.entries(ze))}
    </form>
  `}function Ze({live:e,shown:t}){let{requests:n,state:r}=e;return r==="connecting"?s`<p class="empty">Loading…</p>`:r==="lost"?s`<p class="notice bad" role="status">No connection to the server. Trying again…</p>`:n.length===0?s`
      <p class="empty">No requests yet. Point your agent to <code>${location.origin}/v1</code></p>
    `:t>0?null:s`<p class="empty">No request matches the filter.</p>`}function et({requests:e,opened:t,selected:n,open:r}){return e.length===0?null:s`
    <div class="wide" tabindex="0" role="region" aria-label="List of requests">
      <table class="requests">
        <thead>
          <tr>
            <th scope="col" class="c-state">State</th>
            <th scope="col" class="c-time">Time</th>
            <th scope="col" class="c-model">Model</th>
            <th scope="col" class="c-client">Client</th>
            <th scope="col" class="c-upstream">Upstream</th>
            <th scope="col" class="number c-status">Status</th>
            <th scope="col" class="number c-first">First token</th>
            <th scope="col" class="number c-total">Total</th>
            <th scope="col" class="c-calls">Calls and remarks</th>
          </tr>
        </thead>
        <tbody>
          ${e.map(o=>s`
              <${I} key=${o.id} request=${o} isOpened=${o.id===t}
                isSelected=${o.id===n} open=${r} />
            `)}
        </tbody>
      </table>
    </div>
  `}function $e(){let{value:e,error:t}=v("plugins",5e3),{value:n,error:r,reload:o}=v("sections/store",3e3),a=t??r,i=async l=>{await T(`sections/store/reset?key=${encodeURIComponent(l)}`).catch(()=>{}),o()};return s`
    <h1>Plugins</h1>
    ${a!==void 0&&s`<p class="notice bad" role="alert">${a.message}</p>`}
    ${e===void 0?s`<p class="empty">Loading…</p>`:s`<${tt} plugins=${e} />`}
    <h2>What they remember</h2>
    ${n===void 0||n.length===0?s`<p class="empty">Nothing. Plugins count the strikes of a conversation, or keep calls for its next request.</p>`:s`<${nt} entries=${n} reset=${i} />`}
  `}function tt({plugins:e}){return e.length===0?s`<p class="empty">No plugin runs. <code>plugins</code> in dragoman.yaml names them.</p>`:s`
    <ol class="plugins">${e.map(({name:t,description:n,options:r,onFailure:o})=>s`
        <li key=${t}>
          <code><strong>${t}</strong></code>
          ${o==="refuse"&&s`
            <span class="chip plain">a failure refuses the call</span>
          `}
          ${n!==null&&s`<span class="block">${n}</span>`}
          <dl class="options">${Object.entries(r).map(([a,i])=>s`
              <div>
                <dt><code>${a}</code></dt>
                <dd><code>${JSON.stringify(i)}</code></dd>
              </div>
            `)}</dl>
        </li>
      `)}</ol>
  `}function nt({entries:e,reset:t}){return s`
    <div class="wide" tabindex="0" role="region" aria-label="Memory">
      <table>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">Value</th>
            <th scope="col" class="number">Kept for</th>
            <th></th>
          </tr>
        </thead>
        <tbody>
          ${e.map(({key:n,value:r,leftSeconds:o})=>s`
              <tr key=${n}>
                <th scope="row"><code>${n}</code></th>
                <td>${String(r)}</td>
                <td class="number">${A(o)}</td>
                <td><button aria-label=${`Reset ${n}`} onClick=${()=>t(n)}>Reset</button></td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}var D=["transformed","would_transform","abstained","failed","repaired"],rt={transformed:"Calls",would_transform:"Would be calls",abstained:"Left as text",failed:"Broke off",repaired:"Repairs"};function ge({parameters:e}){let{value:t,error:n}=v("rules",5e3),[r,o]=m(!1),a=e.get("text")??"";if(n!==void 0&&t===void 0)return s`<p class="empty bad">${n.message}</p>`;if(t===void 0)return s`<p class="empty">Loading…</p>`;let i=p=>location.replace(O("rules",{text:p.target.value})),l=st(t,a),c=!r&&a===""&&l.some(he),d=c?l.filter(he):l;return s`
    <h1>Rules <span class="quiet">${t.filter(({whyOff:p})=>p===null).length} of ${t.length} on</span></h1>
    <form class="filter" role="search" onSubmit=${p=>p.preventDefault()}>
      <input type="search" placeholder="Filter" aria-label="Filter rules" value=${a} onInput=${i} />
    </form>
    ${d.length===0?s`<p class="empty">No rule matches the filter.</p>`:s`
      <div class="wide" tabindex="0" role="region" aria-label="Rules">
        <table>
          <thead>
            <tr>
              <th scope="col">Rule</th><th scope="col">State</th><th scope="col" class="number">Confidence</th>
              ${D.map(p=>s`<th scope="col" class="number">${rt[p]}</th>`)}
            </tr>
          </thead>
          <tbody>${d.map(ot)}</tbody>
        </table>
      </div>
    `}
    ${c&&s`
      <button class="more" onClick=${()=>o(!0)}>Show all ${l.length} rules</button>
    `}
  `}function he({hits:e}){return D.some(t=>(e[t]??0)>0)}function st(e,t){let n=o=>D.reduce((a,i)=>a+(o.hits[i]??0),0),r=t.trim().toLowerCase();return e.filter(({rule:o,description:a})=>`${o}
${a}`.toLowerCase().includes(r)).toSorted((o,a)=>n(a)-n(o)||+(o.whyOff!==null)-+(a.whyOff!==null)||(o.rule<a.rule?-1:1))}function ot({rule:e,description:t,whyOff:n,confidence:r,hits:o}){return s`
    <tr key=${e}>
      <th scope="row"><code>${e}</code><span class="quiet block">${t}</span></th>
      <td>${n===null?s`<span class="chip good">on</span>`:s`<span class="chip plain">off</span><span class="quiet block">${n}</span>`}</td>
      <td class="number">${r.toFixed(2)}</td>
      ${D.map(a=>s`<td class="number">${o[a]??s`<span class="quiet">–</span>`}</td>`)}
    </tr>
  `}var F=[{name:"live",title:"Live",load:()=>Promise.resolve(fe)},{name:"figures",title:"Figures",load:async()=>(await import("./figures-6fd2d874.js")).FiguresView},{name:"rules",title:"Rules",load:()=>Promise.resolve(ge)},{name:"playground",title:"Playground",load:async()=>await(await import("./load-856afb31.js")).loadPlayground()},{name:"plugins",title:"Plugins",load:()=>Promise.resolve($e)},{name:"canary",title:"Canary",load:()=>Promise.resolve(Z)}];var at=1e4;function be(){let e=dt(),t=v("status",at);return t.error?.status===401?s`<${Q} onKnown=${t.reload} />`:s`
    <a class="skip" href="#main">Skip to the content</a>
    <header>
      <a class="name" href="#/">Dragoman</a>
      <nav aria-label="Views">
        ${F.map(({name:n,title:r})=>s`<a href=${O(n)} aria-current=${e.view===n?"page":void 0}>${r}</a>`)}
      </nav>
      <${lt} status=${t.value} isLost=${t.error!==void 0} />
      <${G} onEnded=${t.reload} />
    </header>
    <main id="main" tabindex="-1">
      <${ut} key=${e.view} route=${e} />
    </main>
  `}var ve="Reloaded",it=5e3;function lt({status:e,isLost:t}){let[n,r]=m("");h(()=>{let i=n===ve?setTimeout(()=>r(""),it):void 0;return()=>clearTimeout(i)},[n]);let o=async()=>{r("Reloading\u2026"),r(await T("reload").then(ct,S))},a=t?"no connection":e===void 0?"":`v${e.version}, up ${A(e.uptimeSeconds)}`;return s`
    <span class=${`server ${t?"bad":""}`} role="status" title=${e===void 0?"":z(e)}>${n===""?a:n}</span>
    <button onClick=${o} title="Reload configuration, rules, clients and plugins">Reload</button>
  `}function ct({isReloaded:e,errors:t,diagnostics:n}){return e?ve:`Not reloaded: ${x(t,"error")}. ${n[0]?.message??""}`}function ut({route:e}){let[t,n]=m(),[r,o]=m(""),a=F.find(({name:i})=>i===e.view);return h(()=>{a!==void 0&&(document.title=`${a.title} \xB7 Dragoman`,a.load().then(i=>n(()=>i),i=>o(S(i))))},[a]),a===void 0?s`<p class="empty">There is no view with this name. Choose one of the links at the top.</p>`:r!==""?s`<p class="empty bad">Cannot load this view: ${r}</p>`:t===void 0?s`<p class="empty">Loading…</p>`:s`
    <${t} parameters=${e.parameters} />
  `}function dt(){let[e,t]=m(ye);return h(()=>{let n=()=>t(ye());return addEventListener("hashchange",n),()=>removeEventListener("hashchange",n)},[]),e}function ye(){let e=H(location.hash);return e.view===""?{...e,view:F[0]?.name??""}:e}var we=document.getElementById("app");we!==null&&V(s`<${be} />`,we);
