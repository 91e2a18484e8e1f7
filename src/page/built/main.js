import{b as R}from"./chunk-HKNDFE2D.js";import{a as w,b as h,c as P,e as x,f as T,g as E,h as b,i as U}from"./chunk-IFMVMU4S.js";import{a as B}from"./chunk-2JA6YJMZ.js";import{a as j,b as D,c as o,d as $,e as g,f as v,g as K,j as W,k,l as V,m as S}from"./chunk-WHMLTMNT.js";import"./chunk-WOT6VMZA.js";function H({onKnown:e}){let[t,s]=$("");return o`
    <main id="main" class="key">
      <h1>Dragoman</h1>
      <form onSubmit=${async r=>{r.preventDefault();let a=r.target.elements.namedItem("key");try{await k("session",a.value.trim()),e()}catch(i){s(i instanceof Error?i.message:String(i))}}}>
        <label for="key">Key</label>
        <input id="key" name="key" type="password" autocomplete="current-password" required autofocus
          aria-describedby="key-help" />
        <button>Open</button>
        <p id="key-help" class="quiet">
          The key of <code>admin.key_env</code> in dragoman.yaml, or a client key on this machine.
        </p>
        <p role="alert" class="bad">${t}</p>
      </form>
    </main>
  `}var pe={live:"live: converted",dry_run:"dry run: not converted",excluded:"excluded by the canary: not converted"};function J(){let{value:e,error:t}=b("figures",5e3);if(t!==void 0&&e===void 0)return o`<p class="empty bad">${t.message}</p>`;if(e===void 0)return o`<p class="empty">Loading…</p>`;let{canary:s,modes:n}=e;return o`
    <h1>Canary</h1>
    ${s===null?o`<p class="notice">There are no answers on both sides yet. With <code>policy.rollout_percent</code> below
          100, only this share of conversations is converted, and this page compares the sides.</p>`:o`<p class="notice"><strong>${s.sentence}</strong> The live side has ${P(s.share)} of the
          answers.</p>`}
    <${U} kind="mode" rows=${n.map(r=>({...r,name:pe[r.name]??r.name}))} />
  `}var X=["text","client","model","upstream","state"];var C=class{#e=new Map;apply({isWhole:t,requests:s}){t&&this.#e.clear();for(let n of s)this.#e.set(n.id,n);for(let n of this.#e.keys()){if(this.#e.size<=500)break;this.#e.delete(n)}}get(t){return this.#e.get(t)}get latest(){return[...this.#e.values()].reverse()}};function Q(e,t){let s=t.text.toLowerCase().split(/\s+/).filter(n=>n!=="");return e.filter(n=>(t.client===""||(n.client??"none")===t.client)&&(t.model===""||n.model===t.model)&&(t.upstream===""||n.upstream===t.upstream)&&(t.state===""||fe(n,t.state))&&(s.length===0||$e(n,s)))}function z(e){let t=s=>[...new Set(e.flatMap(n=>s(n)??[]))].slice(0,50).sort();return{client:t(({client:s,route:n})=>n===null?s??"none":null),model:t(({model:s})=>s),upstream:t(({upstream:s})=>s)}}function me({refused:e,nearMisses:t,failed:s,repaired:n,rejected:r}){return Object.keys(e).length>0||t>0||s>0||n>0||r>0}function O({state:e}){return e==="waiting"||e==="streaming"}function fe(e,t){return t==="running"?O(e):t==="noted"?me(e):e.state===t}function $e(e,t){let{client:s,model:n,upstream:r,error:a,route:i,called:c,refused:l,status:d,mode:u,id:p}=e,m=e.nearMisses>0?"near miss":"",f=[s,n,r,a,i,...c,...Object.keys(l),d,u,m,p].join(`
`).toLowerCase();return t.every(y=>f.includes(y))}var he=2e3,ge=250,be={requests:[],hasContents:!1,state:"connecting"};function G(){let[e,t]=$(be),s=v(new C).current;return g(()=>{let n,r,a,i=0,c=-1/0,l=!1,d=()=>{a=void 0,c=performance.now(),t({requests:s.latest,hasContents:l,state:"open"})},u=()=>{let m=Math.max(0,ge-(performance.now()-c));a??=setTimeout(()=>i=requestAnimationFrame(d),m)},p=()=>{n=new EventSource("live"),n.onmessage=({data:m})=>{let f=JSON.parse(m);s.apply(f),l=f.hasContents,u()},n.onerror=()=>{n?.close(),t(m=>({...m,state:"lost"})),r=setTimeout(p,he)}};return p(),()=>{n?.close(),clearTimeout(r),clearTimeout(a),cancelAnimationFrame(i)}},[]),e}function Y(e){let[t,s]=$(),n=v({...e,selected:t});return n.current={...e,selected:t},g(()=>{let r=a=>{if(a.ctrlKey||a.metaKey||a.altKey||a.defaultPrevented)return;let{ids:i,opened:c,open:l,selected:d}=n.current,u=ye(a,we(a.target)),p=a.target?.closest?.("a, button, summary")!=null;if(!(u===void 0||u==="open"&&p))if(u==="filter")a.preventDefault(),document.getElementById("filter")?.focus();else if(u==="leave")a.target.blur();else if(u==="close")l("");else if(u==="open")d!==void 0&&l(d);else{let m=ve(i,{from:d??c,step:u});s(m),c!==void 0&&m!==void 0&&l(m),document.getElementById(`row-${m}`)?.scrollIntoView({block:"nearest"})}};return addEventListener("keydown",r),()=>removeEventListener("keydown",r)},[]),t}function ye({key:e},t){if(t)return e==="Escape"?"leave":void 0;switch(e){case"j":return 1;case"k":return-1;case"Enter":return"open";case"Escape":return"close";case"/":return"filter"}}function ve(e,{from:t,step:s}){let n=t===void 0?-1:e.indexOf(t);return n<0?e[0]:e[Math.min(e.length-1,Math.max(0,n+s))]}function we(e){return e instanceof HTMLElement&&(e.isContentEditable||/^(?:INPUT|SELECT|TEXTAREA)$/.test(e.tagName))}var q={waiting:"waiting",streaming:"streaming",done:"done",error:"error",left:"client left"},L=class extends j{shouldComponentUpdate(t){let{request:s,isOpened:n,isSelected:r}=this.props;return t.request!==s||t.isOpened!==n||t.isSelected!==r}render({request:t,isOpened:s,isSelected:n,open:r}){let{id:a,state:i,beganAt:c,model:l,client:d,upstream:u,status:p,firstMs:m,durationMs:f,route:y}=t,ue=de=>{de.preventDefault(),r(a)};return o`
      <tr id=${`row-${a}`} class=${`${i} ${n?"selected":""}`} aria-current=${s?"true":void 0} onClick=${ue}>
        <td class="c-state"><span class=${`dot ${i}`}></span><span class="word">${q[i]}</span></td>
        <td class="c-time"><a href=${`#/live?request=${a}`} aria-label=${`Open the request of ${T(c)}`}>${T(c)}</a></td>
        <td class="c-model" title=${l??""}>${y===null?l??w:o`<code>${y}</code>`}</td>
        <td class="c-client">${d??w}</td>
        <td class="c-upstream">${u??w}</td>
        <td class="number c-status">${p??"\u2026"}</td>
        <td class="number c-first">${h(m)}</td>
        <td class="number c-total">${f===null?"\u2026":h(f)}</td>
        <td class="c-calls">
          <${_} request=${t} />
        </td>
      </tr>
    `}};function _({request:e}){let{calls:t,called:s,refused:n,failed:r,repaired:a,nearMisses:i,accepted:c,rejected:l,error:d,mode:u}=e,p=Object.values(n).reduce((f,y)=>f+y,0),m=u==="live"?"":" (not converted)";return o`
    ${t>0&&o`<span class=${`chip ${u==="live"?"good":"plain"}`} title=${s.join(", ")}>${x(t,"call")}${m}</span>`}
    ${c>0&&o`<span class="chip good">${c} accepted</span>`}
    ${l>0&&o`<span class="chip bad">${l} rejected</span>`}
    ${p>0&&o`<span class="chip warn" title=${Object.keys(n).join(", ")}>${p} refused: ${Object.keys(n)[0]}</span>`}
    ${r>0&&o`<span class="chip bad">${r} broke off</span>`}
    ${a>0&&o`<span class="chip plain">${a} repaired</span>`}
    ${i>0&&o`<span class="chip warn">${x(i,"near miss","near misses")}</span>`}
    ${d!==null&&o`<span class=${`chip ${d==="client_left"?"plain":"bad"}`}>${d}</span>`}
  `}function Z({client:e,isStreamed:t},{chat:s,origin:n}){let r=e===null?"/v1/chat/completions":`/${e}/v1/chat/completions`;return`curl ${t?"-N ":""}${n}${r} \\
  -H 'content-type: application/json' \\
  --data-raw ${ke(s)}
`}function ke(e){return`'${e.replaceAll("'","'\\''")}'`}function N(e){let t=R(e);switch(t.kind){case"decision":return t.outcome;case"repair":return"repaired";case"remark":case"plugin":return"noted"}}var M={call:"call",refused:"left as text",near:"near miss",broken:"broke off",repair:"repair",remark:"remark"};function A(e,t){if(e==="near_miss")return"near";switch(t){case"transformed":case"would_transform":return"call";case"abstained":return"refused";case"failed":return"broken";case"repaired":return"repair";case"noted":return"remark"}}function ee({marks:e,isRunning:t,focused:s,focus:n}){return e.length===0?o`<p class="empty">${t?"No decisions yet.":"No decisions: nothing looked like a call."}</p>`:o`
    <h2>Decisions, repairs and remarks</h2>
    <ol class="marks">${e.map((r,a)=>o`
        <li class=${a===s?"focused":""} onMouseEnter=${()=>n(a)}
          onMouseLeave=${()=>n(void 0)}>
          <${Se} mark=${r} />
        </li>
      `)}</ol>
  `}function Se({mark:{reason:e,rule:t,tool:s,detail:n,atMs:r,characters:a}}){let i=A(e,N(e)),c=[s===null?"":s,t===""?"":`rule ${t}`,n??"",a===null?"":`${a} characters`].filter(l=>l!=="").join(" \xB7 ");return o`
    <span class=${`chip ${i}`}>${M[i]}</span>
    <code>${e}</code>
    <span>${c}</span>
    <span class="quiet">after ${h(r)}</span>
    <span class="quiet block">${R(e)?.meaning}</span>
  `}var xe=["call","broken","near","refused","repair","remark"];function te({parts:e,marks:t,focused:s,focus:n}){return e.every(({text:r})=>r==="")?o`<p class="empty">No text yet.</p>`:o`
    <pre class="text" tabindex="0" aria-label="What the model wrote">${e.map(r=>{let a=r.marks.flatMap(u=>t[u]===void 0?[]:[t[u]]);if(a.length===0)return r.text;let i=a.map(({reason:u})=>A(u,N(u))),c=xe.find(u=>i.includes(u))??"remark",l=a.map(({reason:u,rule:p})=>`${u} (${p})`).join(`
`),d=s!==void 0&&r.marks.includes(s);return o`
        <mark class=${`${c} ${d?"focused":""}`} title=${`${M[c]}: ${l}`}
          onMouseEnter=${()=>n(r.marks[0])} onMouseLeave=${()=>n(void 0)}>${r.text}</mark>
      `})}</pre>
  `}function ne({parts:e}){return e.length===0?o`<p class="empty">Nothing yet.</p>`:o`
    <div class="text" tabindex="0" role="region" aria-label="What the client got">${e.map(t=>t.tool===null?Te(t):o`<${Re} part=${t} tool=${t.tool} />`)}</div>
  `}function Te({text:e,call:t}){return t===null?o`<pre>${e}</pre>`:o`<pre class="written"><mark class="call">${e}</mark></pre>`}var Ee={open:"is still written",done:"whole",broken:"broke off"};function Re({part:e,tool:t}){let{text:s,state:n}=e;return o`
    <div class=${`call ${n==="broken"?"broken":""}`}>
      <div class="head"><strong>${t}</strong><span class="quiet">tool call, ${n&&Ee[n]}</span></div>
      <pre>${Ce(s)}</pre>
    </div>
  `}function Ce(e){try{return JSON.stringify(JSON.parse(e),null,2)}catch{return e}}var Oe=300;function se({request:e,hasContents:t,close:s}){let{detail:n,failure:r}=Ie(e),[a,i]=$(),c=v(null);g(()=>c.current?.focus(),[]);let l=n?.contents??null;return o`
    <article class="request" aria-labelledby="request-title">
      <div class="bar">
        <button class="close" onClick=${s} title="Close (Esc)">Close</button>
        <h1 id="request-title" tabindex="-1" ref=${c}>
          <span class=${`dot ${e.state}`}></span>${e.route??e.model??"A request without a model"}
        </h1>
        <${Me} request=${e} detail=${n} />
      </div>
      <${Le} request=${e} />
      ${r!==""&&o`<p class="notice bad" role="alert">${r}</p>`}
      ${l===null?o`<p class="notice">${Ae(e,{hasContents:t,isLoaded:n!==void 0})}</p>`:o`
          <div class="sides">
            <section aria-labelledby="before-title">
              <h2 id="before-title">Before: what the model wrote</h2>
              <${te} parts=${l.before} marks=${n?.marks??[]} focused=${a} focus=${i} />
            </section>
            <section aria-labelledby="after-title">
              <h2 id="after-title">After: what the client ${e.mode==="live"?"got":"would have got"}</h2>
              <${ne} parts=${l.after} />
            </section>
          </div>
          ${l.isCut&&o`<p class="notice">The texts are long; only their beginnings are kept.</p>`}
        `}
      <${ee} marks=${n?.marks??[]} isRunning=${O(e)} focused=${a} focus=${i} />
    </article>
  `}function Le({request:e}){let{client:t,upstream:s,mode:n,status:r,firstMs:a,durationMs:i,addedMs:c,tools:l,beganAt:d,state:u,isStreamed:p}=e,m=[["State",q[u]],["Status",r??"\u2026"],["Arrived",T(d)],["First token",h(a)],["Total",i===null?"\u2026":h(i)],["Dragoman\u2019s share",h(c)],["Client",t??"unknown"],["Upstream",s??w],["Offered tools",l],["Answer",p?"streamed":"whole"],["Mode",{live:"live",dry_run:"dry run",excluded:"excluded by the canary"}[n]]];return o`
    <dl class="facts">${m.map(([f,y])=>o`
        <div>
          <dt>${f}</dt>
          <dd>${y}</dd>
        </div>
      `)}</dl>
    <${Ne} request=${e} />
    <p class="remarks">
      <${_} request=${e} />
    </p>
  `}function Ne({request:{firstMs:e,durationMs:t}}){if(t===null||e===null||t<=0)return null;let s=Math.min(100,e/t*100);return o`
    <div class="timing" role="img" aria-label=${`${h(e)} until the first token, ${h(t-e)} of answer`}>
      <span class="wait" style=${{width:`${s}%`}}></span><span class="flow" style=${{width:`${100-s}%`}}></span>
    </div>
  `}function Me({request:e,detail:t}){let[s,n]=$(""),r=t?.contents;if(r==null)return null;let{chat:a}=r,i=r.before.map(l=>l.text).join("");return o`
    <span class="actions">
      <span role="status" class="quiet">${s}</span>
      ${a!==null&&o`<button onClick=${async()=>{if(a===null)return;let l=Z(e,{chat:a,origin:location.origin});await navigator.clipboard.writeText(l).then(()=>n("Copied"),()=>n("Cannot copy"))}} title="The command has no key">Copy as curl</button>`}
      ${i!==""&&o`
        <a class="button" href="#/playground?from=live"
          onClick=${()=>void B({text:i,client:e.client,chat:a})}>Open in the playground</a>
      `}
    </span>
  `}function Ae({client:e,route:t,upstream:s},{hasContents:n,isLoaded:r}){return r?t!==null||s===null?"This request isn't a chat, or it was refused before it reached a model.":n?e===null?"The client is unknown, so the answer passed unchanged.":"The texts of this request aren't kept anymore.":"Texts aren't kept. To see what the model wrote next to what the client got, set `admin.contents: true` in dragoman.yaml.":"Loading\u2026"}function Ie(e){let[t,s]=$(),[n,r]=$(""),a=v(-1),{id:i,accepted:c,rejected:l}=e,d=O(e);return g(()=>{let u=!0,p=async()=>{try{let f=await W(`live/${encodeURIComponent(i)}?version=${a.current}`);if(!u||f===void 0)return;a.current=f.version,s(f),r("")}catch(f){u&&r(f instanceof Error?f.message:String(f))}};p();let m=d?setInterval(()=>document.hidden||void p(),Oe):void 0;return()=>{u=!1,clearInterval(m)}},[i,d,c,l]),{detail:t,failure:n}}var qe=100;function oe({parameters:e}){let t=G(),s=Object.fromEntries(X.map(l=>[l,e.get(l)??""])),n=K(()=>Q(t.requests,s),[t.requests,e.toString()]),r=t.requests.find(({id:l})=>l===e.get("request")),a=l=>{location.replace(S("live",{...Object.fromEntries(e),...l}))},i=l=>a({request:l}),c=Y({ids:n.map(({id:l})=>l),opened:r?.id,open:i});return o`
    <div class=${`live ${r===void 0?"":"split"}`}>
      <section class="list" aria-label="Requests">
        ${r===void 0&&o`<h1 class="unseen">Requests</h1>`}
        <${Fe} filter=${s} requests=${t.requests} go=${a} />
        <${je} live=${t} shown=${n.length} />
        <${De} requests=${n} opened=${r?.id} selected=${c} open=${i} />
      </section>
      ${r!==void 0&&o`
        <${se}
          key=${r.id} request=${r} hasContents=${t.hasContents} close=${()=>i("")} />
      `}
    </div>
  `}var _e={running:"running",done:"done",error:"error",left:"client left",noted:"with remarks"};function Fe({filter:e,requests:t,go:s}){let n=z(t),r=c=>l=>s({[c]:l.target.value}),a=(c,l,d)=>o`
      <select aria-label=${l} value=${e[c]} onChange=${r(c)}>
        <option value="">${l}</option>
        ${d.map(([u,p])=>o`<option value=${u}>${p}</option>`)}
      </select>
    `,i=c=>[...new Set([...n[c],...e[c]===""?[]:[e[c]]])].map(l=>[l,l]);return o`
    <form class="filter" role="search" onSubmit=${c=>c.preventDefault()}>
      <input id="filter" type="search" placeholder="Filter ( / )" aria-label="Filter by text" value=${e.text}
        onInput=${r("text")} />
      ${a("client","All clients",i("client"))}
      ${a("model","All models",i("model"))}
      ${a("upstream","All upstreams",i("upstream"))}
      ${a("state","All states",Object.entries(_e))}
    </form>
  `}function je({live:e,shown:t}){let{requests:s,state:n}=e;return n==="connecting"?o`<p class="empty">Loading…</p>`:n==="lost"?o`<p class="notice bad" role="status">No connection to the server. Trying again…</p>`:s.length===0?o`
      <p class="empty">No requests yet. Point your agent to <code>${location.origin}/v1</code></p>
    `:t>0?null:o`<p class="empty">No request matches the filter.</p>`}function De({requests:e,opened:t,selected:s,open:n}){let[r,a]=$(!1);if(e.length===0)return null;let i=r?e:e.slice(0,qe),c=e.length-i.length;return o`
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
          ${i.map(l=>o`
              <${L} key=${l.id} request=${l} isOpened=${l.id===t}
                isSelected=${l.id===s} open=${n} />
            `)}
        </tbody>
      </table>
    </div>
    ${c>0&&o`<button class="more" onClick=${()=>a(!0)}>Show ${c} more</button>`}
  `}function re(){let{value:e,error:t}=b("plugins",5e3),{value:s,error:n,reload:r}=b("sections/store",3e3),a=t??n,i=async c=>{await k(`sections/store/reset?key=${encodeURIComponent(c)}`).catch(()=>{}),r()};return o`
    <h1>Plugins</h1>
    ${a!==void 0&&o`<p class="notice bad" role="alert">${a.message}</p>`}
    ${e===void 0?o`<p class="empty">Loading…</p>`:o`<${Ke} plugins=${e} />`}
    <h2>What they remember</h2>
    ${s===void 0||s.length===0?o`<p class="empty">Nothing. Plugins count the strikes of a conversation, or keep calls for its next request.</p>`:o`<${Pe} entries=${s} reset=${i} />`}
  `}function Ke({plugins:e}){return e.length===0?o`<p class="empty">No plugin runs. <code>plugins</code> in dragoman.yaml names them.</p>`:o`
    <ol class="plugins">${e.map(({name:t,description:s,options:n,onFailure:r})=>o`
        <li key=${t}>
          <code><strong>${t}</strong></code>
          ${r==="refuse"&&o`
            <span class="chip plain">a failure refuses the call</span>
          `}
          ${s!==null&&o`<span class="block">${s}</span>`}
          <dl class="options">${Object.entries(n).map(([a,i])=>o`
              <div>
                <dt><code>${a}</code></dt>
                <dd><code>${JSON.stringify(i)}</code></dd>
              </div>
            `)}</dl>
        </li>
      `)}</ol>
  `}function Pe({entries:e,reset:t}){return o`
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
          ${e.map(({key:s,value:n,leftSeconds:r})=>o`
              <tr key=${s}>
                <th scope="row"><code>${s}</code></th>
                <td>${String(n)}</td>
                <td class="number">${E(r)}</td>
                <td><button aria-label=${`Reset ${s}`} onClick=${()=>t(s)}>Reset</button></td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}var F=["transformed","would_transform","abstained","failed","repaired"],We={transformed:"Calls",would_transform:"Would be calls",abstained:"Left as text",failed:"Broke off",repaired:"Repairs"};function ae({parameters:e}){let{value:t,error:s}=b("rules",5e3),n=e.get("text")??"";if(s!==void 0&&t===void 0)return o`<p class="empty bad">${s.message}</p>`;if(t===void 0)return o`<p class="empty">Loading…</p>`;let r=i=>location.replace(S("rules",{text:i.target.value})),a=Ve(t,n);return o`
    <h1>Rules <span class="quiet">${t.filter(({whyOff:i})=>i===null).length} of ${t.length} on</span></h1>
    <form class="filter" role="search" onSubmit=${i=>i.preventDefault()}>
      <input type="search" placeholder="Filter" aria-label="Filter rules" value=${n} onInput=${r} />
    </form>
    ${a.length===0?o`<p class="empty">No rule matches the filter.</p>`:o`
      <div class="wide" tabindex="0" role="region" aria-label="Rules">
        <table>
          <thead>
            <tr>
              <th scope="col">Rule</th><th scope="col">State</th><th scope="col" class="number">Confidence</th>
              ${F.map(i=>o`<th scope="col" class="number">${We[i]}</th>`)}
            </tr>
          </thead>
          <tbody>${a.map(Ue)}</tbody>
        </table>
      </div>
    `}
  `}function Ve(e,t){let s=r=>F.reduce((a,i)=>a+(r.hits[i]??0),0),n=t.trim().toLowerCase();return e.filter(({rule:r,description:a})=>`${r}
${a}`.toLowerCase().includes(n)).toSorted((r,a)=>s(a)-s(r)||+(r.whyOff!==null)-+(a.whyOff!==null)||(r.rule<a.rule?-1:1))}function Ue({rule:e,description:t,whyOff:s,confidence:n,hits:r}){return o`
    <tr key=${e}>
      <th scope="row"><code>${e}</code><span class="quiet block">${t}</span></th>
      <td>${s===null?o`<span class="chip good">on</span>`:o`<span class="chip plain">off</span><span class="quiet block">${s}</span>`}</td>
      <td class="number">${n.toFixed(2)}</td>
      ${F.map(a=>o`<td class="number">${r[a]??o`<span class="quiet">0</span>`}</td>`)}
    </tr>
  `}var I=[{name:"live",title:"Live",load:()=>Promise.resolve(oe)},{name:"figures",title:"Figures",load:async()=>(await import("./figures-DI6EFMI2.js")).FiguresView},{name:"rules",title:"Rules",load:()=>Promise.resolve(ae)},{name:"playground",title:"Playground",load:async()=>await(await import("./load-TGDS3IB5.js")).loadPlayground()},{name:"plugins",title:"Plugins",load:()=>Promise.resolve(re)},{name:"canary",title:"Canary",load:()=>Promise.resolve(J)}];var Be=1e4;function le(){let e=Qe(),t=b("status",Be);return t.error?.status===401?o`<${H} onKnown=${t.reload} />`:o`
    <a class="skip" href="#main">Skip to the content</a>
    <header>
      <a class="name" href="#/">Dragoman</a>
      <nav aria-label="Views">
        ${I.map(({name:s,title:n})=>o`<a href=${S(s)} aria-current=${e.view===s?"page":void 0}>${n}</a>`)}
      </nav>
      <${He} status=${t.value} isLost=${t.error!==void 0} />
    </header>
    <main id="main" tabindex="-1">
      <${Xe} key=${e.view} route=${e} />
    </main>
  `}function He({status:e,isLost:t}){let[s,n]=$(""),r=async()=>{n("Reloading\u2026"),n(await k("reload").then(Je,i=>String(i)))},a=t?"no connection":e===void 0?"":`v${e.version}, up ${E(e.uptimeSeconds)}`;return o`
    <span class=${`server ${t?"bad":""}`} role="status">${s===""?a:s}</span>
    <button onClick=${r} title="Reload configuration, rules, clients and plugins">Reload</button>
  `}function Je({isReloaded:e,errors:t,diagnostics:s}){return e?"Reloaded":`Not reloaded: ${x(t,"error")}. ${s[0]?.message??""}`}function Xe({route:e}){let[t,s]=$(),[n,r]=$(""),a=I.find(({name:i})=>i===e.view);return g(()=>{a!==void 0&&(document.title=`${a.title} \xB7 Dragoman`,a.load().then(i=>s(()=>i),i=>r(String(i))))},[a]),a===void 0?o`<p class="empty">There is no view with this name. Choose one of the links at the top.</p>`:n!==""?o`<p class="empty bad">Cannot load this view: ${n}</p>`:t===void 0?o`<p class="empty">Loading…</p>`:o`
    <${t} parameters=${e.parameters} />
  `}function Qe(){let[e,t]=$(ie);return g(()=>{let s=()=>t(ie());return addEventListener("hashchange",s),()=>removeEventListener("hashchange",s)},[]),e}function ie(){let e=V(location.hash);return e.view===""?{...e,view:I[0]?.name??""}:e}var ce=document.getElementById("app");ce!==null&&D(o`<${le} />`,ce);
