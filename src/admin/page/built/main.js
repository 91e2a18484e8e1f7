import{a as S,b as g,c as Z,d as ee}from"./chunk-ccfba17c.js";import{b as W}from"./chunk-e350af72.js";import{a as K,b as V}from"./chunk-815229dd.js";import"./chunk-e8bd4cc0.js";import{a as B,b as z,c as o,d as $,e as w,f as b,g as j,i as v,j as k,k as X,m as x,n as A,o as I,q as N,r as G,s as M,t as Y,u as Q,v as E}from"./chunk-580edf07.js";import"./chunk-ff9e0dca.js";function te({servers:e=[],learnedTools:t=[]}){return[...e.map(({upstream:n,server:s,version:a="",begins:r="",context:i,why:l,warning:c})=>[`${n}: ${s} ${a}`.trim(),i===void 0?"":`${i} tokens of context`,xe[r],l,c].filter(Boolean).join(", ")),...t.map(({upstream:n,model:s,reason:a,dialect:r})=>{let i=r===""?"read raw":`tools in the prompt (${r})`;return`${n}, ${s||"any model"}: ${i}, because of ${Se[a]??a}`})].join(`
`)}var xe={raw:"read raw from the first request",prompted:"tools in the prompt from the first request"},Se={refused:"a refused request",refused_calls:"a refused conversation with calls",unparsed:"the server's parser"};function ne(e,t){for(let n of e.keys()){if(e.size<=t)return;e.delete(n)}}function L(e){let{mode:t,calls:n,called:s,leftAsText:a,failed:r,lost:i,refused:l,dropped:c,repaired:u,nearMisses:d}=e,p=Object.entries(a),m=p.reduce((O,[,C])=>O+C,0),f=p.map(([O,C])=>C===1?O:`${C} ${O}`),y=p.length===1?[p[0][0]]:f,h=t==="live"?"made":"would",T=t==="live"?"":t==="dry_run"?"(not converted: dry run)":"(not converted: canary)";return[[h,n,Oe(s,n),T],["lost",i,`${i} ${g.lost.word}`],["broken",r,`${r} ${g.broken.word}`],["refused",l,`${l} ${g.refused.word}`],["near",d,x(d,"near miss","near misses")],["left",m,`${m} ${g.left.word}`,`(${y.join(", ")})`],["dropped",c,`${c} ${g.dropped.word}`],["repaired",u,x(u,"repair")]].filter(([,O])=>O>0).map(([O,,C,ke=""])=>({end:O,text:C,more:ke}))}var Te=3;function Oe(e,t){let n=new Map;for(let r of e)n.set(r,(n.get(r)??0)+1);if(n.size===0)return x(t,"call");let s=[...n].slice(0,Te),a=t-s.reduce((r,[,i])=>r+i,0);return s.map(([r,i])=>`${r} \xD7${i}`).join(", ")+(a>0?`, ${a} more`:"")}function R({state:e}){return e==="waiting"||e==="streaming"}var se=["text","client","model","upstream","wire","key","state"],Ee=500,Re=50,P=class{#e=new Map;apply({isWhole:t,requests:n}){t&&this.#e.clear();for(let s of n)this.#e.set(s.id,s);ne(this.#e,Ee)}get(t){return this.#e.get(t)}get latest(){return[...this.#e.values()].reverse()}};function oe(e,t){let n=t.text.toLowerCase().split(/\s+/).filter(s=>s!=="");return e.filter(s=>(t.client===""||(s.client??"none")===t.client)&&(t.model===""||s.model===t.model)&&(t.upstream===""||s.upstream===t.upstream)&&(t.wire===""||(s.wire??"none")===t.wire)&&(t.key===""||(s.key??"none")===t.key)&&(t.state===""||Ne(s,t.state))&&(n.length===0||Ae(s,n)))}function re(e){let t=n=>[...new Set(e.flatMap(s=>n(s)??[]))].slice(0,Re).sort();return{client:t(({client:n,route:s})=>s===null?n??"none":null),model:t(({model:n})=>n),upstream:t(({upstream:n})=>n),wire:t(({wire:n})=>n),key:t(({key:n,route:s})=>s===null?n??"none":n)}}function Ce(e){return e.rejected>0||L(e).some(({end:t})=>t!=="made"&&t!=="would")}function Ne(e,t){return t==="running"?R(e):t==="noted"?Ce(e):e.state===t}function Ae(e,t){let{client:n,model:s,upstream:a,wire:r,key:i,error:l,message:c,route:u,status:d,mode:p,id:m}=e,f=[n,s,a,r,i,l,u,c,...L(e).map(({text:y,more:h})=>`${y} ${h}`),...e.remarks,d,p,m].join(`
`).toLowerCase();return t.every(y=>f.includes(y))}var Me=2e3,Le=50,De={requests:[],hasContents:!1,state:"connecting"};function ae(){let[e,t]=$(De),n=b(new P).current;return w(()=>{let s,a,r,i=0,l=-1/0,[c,u]=[!1,!1],d=()=>{r=void 0,u&&(setTimeout(()=>l=performance.now()),t({requests:n.latest,hasContents:c,state:"open"}))},p=()=>{let h=Math.max(0,Le-(performance.now()-l));r??=setTimeout(()=>i=requestAnimationFrame(d),h)},m=()=>{s?.close(),s=void 0,u=!1},f=()=>{clearTimeout(a),!(document.hidden||s!==void 0)&&(s=new EventSource("live"),s.onmessage=({data:h})=>{let T=JSON.parse(h);n.apply(T),[c,u]=[T.hasContents,!0],p()},s.onerror=()=>{m(),t(h=>({...h,state:"lost"})),a=setTimeout(f,Me)})},y=()=>document.hidden?m():f();return f(),document.addEventListener("visibilitychange",y),()=>{document.removeEventListener("visibilitychange",y),m(),clearTimeout(a),clearTimeout(r),cancelAnimationFrame(i)}},[]),e}function ie(e){let[t,n]=$(),s=b({...e,selected:t});return s.current={...e,selected:t},w(()=>{let a=r=>{if(r.ctrlKey||r.metaKey||r.altKey||r.defaultPrevented)return;let{ids:i,opened:l,open:c,selected:u}=s.current,d=je(r,Pe(r.target)),p=r.target?.closest?.("a, button, summary")!=null;if(!(d===void 0||d==="open"&&p))if(d==="filter")r.preventDefault(),document.getElementById("filter")?.focus();else if(d==="leave")r.target.blur();else if(d==="close")c("");else if(d==="open")u!==void 0&&c(u);else{let m=Ie(i,{from:u??l,step:d});n(m),l!==void 0&&m!==void 0&&c(m),document.getElementById(`row-${m}`)?.scrollIntoView({block:"nearest"})}};return addEventListener("keydown",a),()=>removeEventListener("keydown",a)},[]),t}function je({key:e},t){if(t)return e==="Escape"?"leave":void 0;switch(e){case"j":return 1;case"k":return-1;case"Enter":return"open";case"Escape":return"close";case"/":return"filter"}}function Ie(e,{from:t,step:n}){let s=t===void 0?-1:e.indexOf(t);return s<0?e[0]:e[Math.min(e.length-1,Math.max(0,s+n))]}function Pe(e){return e instanceof HTMLElement&&(e.isContentEditable||/^(?:INPUT|SELECT|TEXTAREA)$/.test(e.tagName))}var U={waiting:"waiting",streaming:"streaming",done:"done",cut:"cut off",error:"error",left:"client left"},q=class extends B{shouldComponentUpdate(t){let{request:n,isOpened:s,isSelected:a}=this.props;return t.request!==n||t.isOpened!==s||t.isSelected!==a}render({request:t,isOpened:n,isSelected:s,open:a}){let{id:r,state:i,beganAt:l,model:c,client:u,upstream:d,wire:p,key:m,firstMs:f,durationMs:y,route:h}=t,T=D=>{D.preventDefault(),a(r)};return o`
      <tr id=${`row-${r}`} class=${`${i} ${s?"selected":""}`} aria-current=${n?"true":void 0} onClick=${T}>
        <td class="c-state"><span class=${`dot ${i}`}></span><span class="word">${U[i]}</span></td>
        <td class="c-time"><a href=${`#/live?request=${r}`} aria-label=${`Open the request of ${A(l)}`}>${A(l)}</a></td>
        <td class="c-model" title=${c??""}><span>${h===null?c??v:o`<code>${h}</code>`}</span></td>
        <td class="c-client">${u??v}</td>
        <td class="c-key" title=${m??""}>${[p,m].filter(D=>D!==null).join(" \xB7 ")||v}</td>
        <td class="c-upstream">${d??v}</td>
        <td class="number c-status">${J(t)}</td>
        <td class="number c-first">${k(f)}</td>
        <td class="number c-total">${y===null?"\u2026":k(y)}</td>
        <td class="c-calls">
          <${H} request=${t} />
        </td>
      </tr>
    `}};function J({status:e,state:t}){return e===null?"\u2026":t==="error"&&e<400?`${e} error`:String(e)}function H({request:e}){let{accepted:t,rejected:n,remarks:s,error:a,message:r,tried:i}=e;return o`
    ${L(e).map(({end:l,text:c,more:u})=>o`<span class=${`chip ${g[l].color}`} title=${`${c} ${u}`}>${c}${u===""?"":o`
          <span class="why">${u}</span>
        `}</span>`)}
    ${t>0&&o`<span class="chip good">${t} accepted</span>`}
    ${n>0&&o`<span class="chip bad">${n} rejected</span>`}
    ${s.map(l=>o`<span class="chip plain">${l}</span>`)}
    ${a!==null&&o`<span class=${`chip ${a==="client_left"?"plain":"bad"}`} title=${r??""}>${a}${r===null?"":o`<span class="why">: ${r}</span>`}</span>`}
    ${i.length>0&&o`<span class="chip warn">after ${i.join(", ")}</span>`}
  `}function le({parts:e,isRunning:t,marks:n,focused:s,focus:a}){return e.every(({text:r})=>r==="")?o`<p class="empty">${t?"No text yet.":"The answer has no text."}</p>`:o`
    <pre class="text" tabindex="0" aria-label="What the model wrote">${e.map(r=>{let i=r.marks.flatMap(m=>n[m]===void 0?[]:[n[m]]);if(i.length===0)return r.text;let l=Z.find(m=>i.some(f=>f.end===m))??"remark",{color:c,word:u}=g[l],d=i.map(({reason:m,rule:f})=>`${m} (${f})`).join(`
`),p=s!==void 0&&r.marks.includes(s);return o`
        <mark class=${`${c} ${p?"focused":""}`} title=${`${u}: ${d}`}
          onMouseEnter=${()=>a(r.marks[0])} onMouseLeave=${()=>a(void 0)}>${r.text}</mark>
      `})}</pre>
  `}function ce({parts:e,isRunning:t}){return e.length===0?o`<p class="empty">${t?"Nothing yet.":"The answer has no text and no call."}</p>`:o`
    <div class="text" tabindex="0" role="region" aria-label="What the client got">${e.map(n=>n.tool===null?qe(n):o`<${Fe} part=${n} tool=${n.tool} />`)}</div>
  `}function qe({text:e,call:t,isReasoning:n}){return n?o`
      <div class="reasoning" role="group" aria-label="Reasoning">
        <div class="quiet">Reasoning</div>
        <pre>${e}</pre>
      </div>
    `:t===null?o`<pre>${e}</pre>`:o`<pre class="written"><mark class="good">${e}</mark></pre>`}var _e={open:"is still written",done:"whole",broken:"broke off"};function Fe({part:e,tool:t}){let{text:n,state:s}=e;return o`
    <div class=${`made ${s==="broken"?"broken":""}`}>
      <div class="head"><strong>${t}</strong><span class="quiet">tool call, ${s&&_e[s]}</span></div>
      <pre>${We(n)}</pre>
    </div>
  `}function We(e){try{return JSON.stringify(JSON.parse(e),null,2)}catch{return e}}var Ke=200;function ue(e){let{messages:t,tools:n,...s}=JSON.parse(e);return[de("settings",JSON.stringify(s,null,2)),...Array.isArray(n)?[Ve(n)]:[],...Array.isArray(t)?t.map(Ue):[]]}function Ve(e){let t=e.map(n=>Reflect.get(Object(Reflect.get(Object(n),"function")??n),"name"));return{title:x(e.length,"tool"),summary:t.join(", "),text:JSON.stringify(e,null,2)}}function Ue(e){let{role:t,content:n,...s}=Object(e),a=Je(n),r=Object.keys(s).length===0?"":JSON.stringify(s,null,2);return de(String(t??"message"),[a,r].filter(i=>i!=="").join(`

`))}function Je(e){return typeof e=="string"?e:e==null?"":Array.isArray(e)?e.map(t=>{let n=Reflect.get(Object(t),"text");return typeof n=="string"?n:JSON.stringify(t)}).join(`

`):JSON.stringify(e,null,2)}function de(e,t){return{title:e,summary:t.replace(/\s+/g," ").trim().slice(0,Ke),text:t}}function pe({client:e,isStreamed:t},{chat:n,origin:s}){let a=e===null?"/v1/chat/completions":`/${e}/v1/chat/completions`;return`curl ${t?"-N ":""}${s}${a} \\
  -H 'content-type: application/json' \\
  --data-raw ${He(n)}
`}function He(e){return`'${e.replaceAll("'","'\\''")}'`}var Be=300;function me({request:e,hasContents:t,close:n}){let{detail:s,failure:a}=Ze(e),[r,i]=$(),l=b(null);w(()=>l.current?.focus(),[]);let c=s?.contents??null,u=Qe(e,{hasContents:t,detail:s});return o`
    <article class="request" aria-labelledby="request-title">
      <div class="bar">
        <button class="close" onClick=${n} title="Close (Esc)">Close</button>
        <h1 id="request-title" tabindex="-1" ref=${l}>
          <span class=${`dot ${e.state}`}></span>${e.route??e.model??"A request without a model"}
        </h1>
        <${tt} request=${e} detail=${s} />
      </div>
      <${ze} request=${e} />
      ${e.state==="error"&&o`
        <p class="notice bad">The request ended with status ${e.status}${e.error!==null&&o`, error <code>${e.error}</code>`}${e.message!==null&&o`: ${e.message}`}.</p>
      `}
      ${e.nearMisses>0&&o`<${nt} request=${e} detail=${s} />`}
      ${a!==""&&o`<p class="notice bad" role="alert">${a}</p>`}
      ${c===null||u!==void 0?o`<p class="notice">${K(u??"")}</p>`:o`
          <div class="sides">
            <section aria-labelledby="before-title">
              <h2 id="before-title">Before: what the model wrote</h2>
              <${le} parts=${c.before} isRunning=${R(e)} marks=${s?.marks??[]} focused=${r}
                focus=${i} />
            </section>
            <section aria-labelledby="after-title">
              <h2 id="after-title">After: what the client ${e.mode==="live"?"got":"would have got"}</h2>
              <${ce} parts=${c.after} isRunning=${R(e)} />
            </section>
          </div>
          ${c.isCut&&o`<p class="notice">The texts are long; only their beginnings are kept.</p>`}
        `}
      ${s!==void 0&&(e.client!==null||s.marks?.length)&&o`
        <${ot} marks=${s.marks} isRunning=${R(e)} focused=${r} focus=${i} />
      `}
      ${c?.chat!=null&&o`<${et} chat=${c.chat} />`}
    </article>
  `}function ze({request:e}){let{client:t,wire:n,key:s,tried:a,upstream:r,mode:i,firstMs:l,durationMs:c,addedMs:u,tools:d,beganAt:p,state:m,isStreamed:f}=e,y=[["State",U[m]],["Status",J(e)],["Arrived",A(p)],["First token",k(l)],["Total",c===null?"\u2026":k(c)],["Dragoman\u2019s share",k(u)],["Client",t??"unknown"],["API",n??v],["Client key",s??"without a name"],["Upstream",(r??v)+(a.length===0?"":`, after ${a.join(", ")}`)],["Offered tools",d],["Prompt",Xe(e)],["Conversation",Ge(e)],["Answer",f?"streamed":"whole"],["Mode",{live:"live",dry_run:"dry run",excluded:"excluded by the canary"}[i]]];return o`
    <dl class="facts">${y.map(([h,T])=>o`
        <div>
          <dt>${h}</dt>
          <dd>${T}</dd>
        </div>
      `)}</dl>
    <${Ye} request=${e} />
    <p class="remarks">
      <${H} request=${e} />
    </p>
  `}function Xe({promptTokens:e,cachedTokens:t}){return e===void 0?v:t===void 0?`${e} tokens`:`${e} tokens: ${e-t} new, ${t} from the cache`}function Ge({conversationPrompts:e}){if(e===void 0||e.tokens===0)return v;let{requests:t,tokens:n,cached:s}=e,a=Math.round((n-s)/n*100);return`${x(t,"request")} so far: ${a} % of ${n} tokens new`}function Ye({request:{firstMs:e,durationMs:t}}){if(t===null||e===null||t<=0)return null;let n=Math.min(100,e/t*100);return o`
    <div class="timing" role="img" aria-label=${`${k(e)} until the first token, ${k(t-e)} of answer`}>
      <span class="wait" style=${{width:`${n}%`}}></span><span class="flow" style=${{width:`${100-n}%`}}></span>
    </div>
    <ul class="legend" aria-hidden="true">
      <li><span class="swatch wait"></span>until the first token</li>
      <li><span class="swatch accent"></span>answer</li>
    </ul>
  `}function Qe({client:e,route:t,upstream:n,choices:s},{hasContents:a,detail:r}){if(r===void 0)return"Loading\u2026";let i=r.contents!==null;return t!==null||n===null?"This request isn't a chat, or it was refused before it reached a model.":!i&&!a?"Texts aren't kept. To see what the model wrote next to what the client got, set `admin.contents: true` in dragoman.yaml.":e===null&&r.contents?.before.length===0?"The client is unknown, or it offers no tools, and the answer passed unchanged.":s!==1?`The request asks for ${s} answers. Their texts would run into each other, so they aren't kept.`:i?void 0:"The texts of this request aren't kept anymore."}function Ze(e){let[t,n]=$(),[s,a]=$(""),r=b(-1),{id:i,accepted:l,rejected:c}=e,u=R(e);return w(()=>{let d=!0,p=async()=>{try{let f=await G(`live/${encodeURIComponent(i)}?version=${r.current}`);if(!d||(a(""),f===void 0))return;r.current=f.version,n(f)}catch(f){d&&a(N(f))}};p();let m=u?setInterval(()=>document.hidden||void p(),Be):void 0;return()=>{d=!1,clearInterval(m)}},[i,u,l,c]),{detail:t,failure:s}}function et({chat:e}){let t=j(()=>ue(e),[e]);return o`
    <section class="parts" aria-labelledby="parts-title">
      <h2 id="parts-title">The request</h2>
      ${t.map(({title:n,summary:s,text:a})=>o`
          <details>
            <summary><strong>${n}</strong><span class="quiet">${s}</span></summary>
            <pre>${a}</pre>
          </details>
        `)}
    </section>
  `}function tt({request:e,detail:t}){let[n,s]=$(""),[a,r]=$(!1),i=t?.contents;if(i==null)return null;let{chat:l,before:c}=i,u=c.map(p=>p.text).join("");return o`
    <span class="actions">
      <span role="status" class="quiet">${a?"Copied":""}</span>
      ${l!==null&&o`<button onClick=${async()=>{let p=pe(e,{chat:l??"",origin:location.origin}),f=await navigator.clipboard?.writeText(p).then(()=>!0,()=>!1)??!1;r(f),s(f?"":p)}} title="The command has no key">Copy as curl</button>`}
      ${u!==""&&o`
        <a class="button" href="#/playground?from=live"
          onClick=${()=>void V({text:u,client:e.client,chat:l})}>Open in the playground</a>
      `}
    </span>
    ${n!==""&&o`<textarea class="command" readonly aria-label="The command" value=${n}></textarea>`}
  `}function nt({request:e,detail:t}){let{client:n,command:s}=e,a=t?.contents??null,r=a?.before.map(l=>l.text).join("")??"",i=()=>void V({text:r,client:n,chat:a?.chat??null});return o`
    <section class="notice next" aria-labelledby="next-title">
      <h2 id="next-title">Near miss: the answer looks like a call that no rule reads</h2>
      ${r!==""&&o`
        <p><a class="button main" href=${E("playground",{from:"live",derive:"1"})}
            onClick=${i}>Derive a rule in the playground</a></p>
      `}
      ${s!==null&&o`<${st} command=${s} />`}
      ${r===""&&o`
        <p>The text of this answer isn’t kept, so no rule can be derived from it here. To keep the next one,
          set <code>admin.contents: true</code> in dragoman.yaml, which applies at once${s===null&&o`, or start <code>serve --record captures</code>`}.</p>
      `}
    </section>
  `}function st({command:e}){let[t,n]=$("");return o`
    <p>On the command line:</p>
    <pre class="text" tabindex="0" aria-label="The command">${e}</pre>
    <p><button onClick=${async()=>{let r=await navigator.clipboard?.writeText(e).then(()=>!0,()=>!1)??!1;n(r?"Copied":"The browser doesn\u2019t let the page copy: select the command")}}>Copy the command</button> <span role="status" class="quiet">${t}</span></p>
  `}function ot({marks:e,isRunning:t,focused:n,focus:s}){return e===null?o`<p class="empty">The decisions of this request aren't kept anymore.</p>`:e.length===0?o`<p class="empty">${t?"No decisions yet.":"No decisions: nothing looked like a call."}</p>`:o`
    <h2>Decisions, repairs and remarks</h2>
    <ol class="marks">${e.map((a,r)=>o`
        <li class=${r===n?"focused":""} onMouseEnter=${()=>s(r)}
          onMouseLeave=${()=>s(void 0)}>
          <${rt} mark=${a} />
        </li>
      `)}</ol>
  `}function rt({mark:{end:e,reason:t,rule:n,tool:s,detail:a,atMs:r,characters:i}}){let{word:l,color:c}=g[e],u=[s===null?"":s,n===""?"":`rule ${n}`,a??"",i===null?"":`${i} characters`].filter(d=>d!=="").join(" \xB7 ");return o`
    <span class=${`chip ${c}`}>${l}</span>
    <code>${t}</code>
    <span>${u}</span>
    ${r!==null&&o`<span class="quiet">after ${k(r)}</span>`}
    <span class="quiet block">${K(W(t)?.meaning??"")}</span>
  `}var at=60;function fe({parameters:e}){let t=ae(),n=Object.fromEntries(se.map(p=>[p,e.get(p)??""])),s=j(()=>oe(t.requests,n),[t.requests,e.toString()]),a=it(t.requests,e.get("request")),[r,i]=$(!1),l=r?s:s.slice(0,at),c=p=>{location.replace(E("live",{...Object.fromEntries(e),...p}))},u=p=>c({request:p}),d=ie({ids:l.map(({id:p})=>p),opened:a?.id,open:u});return o`
    <div class=${`live ${a===void 0?"":"split"}`}>
      <section class="list" aria-label="Requests">
        ${a===void 0&&o`<h1 class="unseen">Requests</h1>`}
        <${ct} filter=${n} requests=${t.requests} go=${c} />
        <${dt} live=${t} shown=${s.length} />
        <${pt} requests=${l} opened=${a?.id} selected=${d} open=${u} />
        ${l.length<s.length&&o`
          <button class="more" onClick=${()=>i(!0)}>Show ${s.length-l.length} more</button>
        `}
      </section>
      ${a!==void 0&&o`
        <${me}
          key=${a.id} request=${a} hasContents=${t.hasContents} close=${()=>u("")} />
      `}
    </div>
  `}function it(e,t){let n=b(),s=n.current?.id===t?n.current:void 0;return n.current=e.find(a=>a.id===t)??s}var lt={running:"running",done:"done",cut:"cut off",error:"error",left:"client left",noted:"with remarks"};function ct({filter:e,requests:t,go:n}){let s=re(t),a=l=>c=>n({[l]:c.target.value}),r=(l,c,u)=>o`
      <select aria-label=${c} value=${e[l]} onChange=${a(l)}>
        <option value="">${c}</option>
        ${u.map(([d,p])=>o`<option value=${d}>${p}</option>`)}
      </select>
    `,i=l=>[...new Set([...s[l],...e[l]===""?[]:[e[l]]])].map(c=>[c,c]);return o`
    <form class="filter" role="search" onSubmit=${l=>l.preventDefault()}>
      <input id="filter" type="search" placeholder="Filter ( / )" aria-label="Filter by text" value=${e.text}
        onInput=${a("text")} />
      ${r("client","All clients",i("client"))}
      ${r("model","All models",i("model"))}
      ${r("upstream","All upstreams",i("upstream"))}
      ${r("wire","All APIs",i("wire"))}
      ${ut(s.key,e.key)&&r("key","All client keys",i("key"))}
      ${r("state","All states",Object.entries(lt))}
    </form>
  `}function ut(e,t){return t!==""||e.some(n=>n!=="none")}function dt({live:e,shown:t}){let{requests:n,state:s}=e;return s==="connecting"?o`<p class="empty">Loading…</p>`:s==="lost"?o`<p class="notice bad" role="status">No connection to the server. Trying again…</p>`:n.length===0?o`
      <p class="empty">No requests yet. Point your agent to <code>${location.origin}/v1</code></p>
    `:t>0?null:o`<p class="empty">No request matches the filter.</p>`}function pt({requests:e,opened:t,selected:n,open:s}){return e.length===0?null:o`
    <div class="wide" tabindex="0" role="region" aria-label="List of requests">
      <table class="requests">
        <thead>
          <tr>
            <th scope="col" class="c-state">State</th>
            <th scope="col" class="c-time">Time</th>
            <th scope="col" class="c-model">Model</th>
            <th scope="col" class="c-client">Client</th>
            <th scope="col" class="c-key">API and key</th>
            <th scope="col" class="c-upstream">Upstream</th>
            <th scope="col" class="number c-status">Status</th>
            <th scope="col" class="number c-first">First token</th>
            <th scope="col" class="number c-total">Total</th>
            <th scope="col" class="c-calls">Calls and remarks</th>
          </tr>
        </thead>
        <tbody>
          ${e.map(a=>o`
              <${q} key=${a.id} request=${a} isOpened=${a.id===t}
                isSelected=${a.id===n} open=${s} />
            `)}
        </tbody>
      </table>
    </div>
  `}function $e(){let{value:e,error:t}=S("plugins",5e3),{value:n,error:s,reload:a}=S("sections/store",3e3),r=t??s,i=async l=>{await M(`sections/store/reset?key=${encodeURIComponent(l)}`).catch(()=>{}),a()};return o`
    <h1>Plugins</h1>
    ${r!==void 0&&o`<p class="notice bad" role="alert">${r.message}</p>`}
    ${e===void 0?o`<p class="empty">Loading…</p>`:o`<${mt} plugins=${e} />`}
    <h2>What they remember</h2>
    ${n===void 0||n.length===0?o`<p class="empty">Nothing. Plugins count the strikes of a conversation, or keep calls for its next request.</p>`:o`<${ft} entries=${n} reset=${i} />`}
  `}function mt({plugins:e}){return e.length===0?o`<p class="empty">No plugin runs. <code>plugins</code> in dragoman.yaml names them.</p>`:o`
    <ol class="plugins">${e.map(({name:t,description:n,options:s,onFailure:a})=>o`
        <li key=${t}>
          <code><strong>${t}</strong></code>
          ${a==="refuse"&&o`
            <span class="chip plain">a failure refuses the call</span>
          `}
          ${n!==null&&o`<span class="block">${n}</span>`}
          <dl class="options">${Object.entries(s).map(([r,i])=>o`
              <div>
                <dt><code>${r}</code></dt>
                <dd><code>${JSON.stringify(i)}</code></dd>
              </div>
            `)}</dl>
        </li>
      `)}</ol>
  `}function ft({entries:e,reset:t}){return o`
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
          ${e.map(({key:n,value:s,leftSeconds:a})=>o`
              <tr key=${n}>
                <th scope="row"><code>${n}</code></th>
                <td>${String(s)}</td>
                <td class="number">${I(a)}</td>
                <td><button aria-label=${`Reset ${n}`} onClick=${()=>t(n)}>Reset</button></td>
              </tr>
            `)}
        </tbody>
      </table>
    </div>
  `}var _=["made","would","left","broken","lost","repaired"];function ge({parameters:e}){let{value:t,error:n}=S("rules",5e3),[s,a]=$(!1),r=e.get("text")??"";if(n!==void 0&&t===void 0)return o`<p class="empty bad">${n.message}</p>`;if(t===void 0)return o`<p class="empty">Loading…</p>`;let i=d=>location.replace(E("rules",{text:d.target.value})),l=$t(t,r),c=!s&&r===""&&l.some(he),u=c?l.filter(he):l;return o`
    <h1>Rules <span class="quiet">${t.filter(({whyOff:d})=>d===null).length} of ${t.length} on</span></h1>
    <form class="filter" role="search" onSubmit=${d=>d.preventDefault()}>
      <input type="search" placeholder="Filter" aria-label="Filter rules" value=${r} onInput=${i} />
    </form>
    ${u.length===0?o`<p class="empty">No rule matches the filter.</p>`:o`
      <div class="wide" tabindex="0" role="region" aria-label="Rules">
        <table>
          <thead>
            <tr>
              <th scope="col">Rule</th><th scope="col">State</th><th scope="col" class="number">Confidence</th>
              ${_.map(d=>o`<th scope="col" class="number">${g[d].title}</th>`)}
            </tr>
          </thead>
          <tbody>${u.map(ht)}</tbody>
        </table>
      </div>
    `}
    ${c&&o`
      <button class="more" onClick=${()=>a(!0)}>Show all ${l.length} rules</button>
    `}
  `}function he({hits:e}){return _.some(t=>(e[t]??0)>0)}function $t(e,t){let n=a=>_.reduce((r,i)=>r+(a.hits[i]??0),0),s=t.trim().toLowerCase();return e.filter(({rule:a,description:r})=>`${a}
${r}`.toLowerCase().includes(s)).toSorted((a,r)=>n(r)-n(a)||+(a.whyOff!==null)-+(r.whyOff!==null)||(a.rule<r.rule?-1:1))}function ht({rule:e,description:t,whyOff:n,confidence:s,hits:a}){return o`
    <tr key=${e}>
      <th scope="row"><code>${e}</code><span class="quiet block">${t}</span></th>
      <td>${n===null?o`<span class="chip good">on</span>`:o`<span class="chip plain">off</span><span class="quiet block">${n}</span>`}</td>
      <td class="number">${s.toFixed(2)}</td>
      ${_.map(r=>o`<td class="number">${a[r]??o`<span class="quiet">–</span>`}</td>`)}
    </tr>
  `}var F=[{name:"live",title:"Live",load:()=>Promise.resolve(fe)},{name:"figures",title:"Figures",load:async()=>(await import("./figures-7103c51a.js")).FiguresView},{name:"rules",title:"Rules",load:()=>Promise.resolve(ge)},{name:"playground",title:"Playground",load:async()=>await(await import("./load-c942aec0.js")).loadPlayground()},{name:"plugins",title:"Plugins",load:()=>Promise.resolve($e)},{name:"canary",title:"Canary",load:()=>Promise.resolve(yt)}],gt={live:"live: converted",dry_run:"dry run: not converted",excluded:"excluded by the canary: not converted"};function yt(){let{value:e,error:t}=S("figures",5e3);if(t!==void 0&&e===void 0)return o`<p class="empty bad">${t.message}</p>`;if(e===void 0)return o`<p class="empty">Loading…</p>`;let{canary:n,modes:s}=e;return o`
    <h1>Canary</h1>
    ${n===null?o`<p class="notice">There are no answers on both sides yet. With <code>policy.rollout_percent</code> below
          100, only this share of conversations is converted, and this page compares the sides.</p>`:o`<p class="notice"><strong>${n.sentence}</strong> The live side has ${X(n.share)} of the
          answers.</p>`}
    <${ee} kind="mode" rows=${s.map(a=>({...a,name:gt[a.name]??a.name}))} />
  `}var wt=1e4;function we(){let e=St(),t=S("status",wt);return t.error?.status===401?o`<${Ot} onKnown=${t.reload} />`:o`
    <a class="skip" href="#main">Skip to the content</a>
    <header>
      <a class="name" href="#/">Dragoman</a>
      <nav aria-label="Views">
        ${F.map(({name:n,title:s})=>o`<a href=${E(n)} aria-current=${e.view===n?"page":void 0}>${s}</a>`)}
      </nav>
      <${vt} status=${t.value} isLost=${t.error!==void 0} />
      <${Tt} onEnded=${t.reload} />
    </header>
    <main id="main" tabindex="-1">
      <${xt} key=${e.view} route=${e} />
    </main>
  `}var be="Reloaded",bt=5e3;function vt({status:e,isLost:t}){let[n,s]=$("");w(()=>{let i=n===be?setTimeout(()=>s(""),bt):void 0;return()=>clearTimeout(i)},[n]);let a=async()=>{s("Reloading\u2026"),s(await M("reload").then(kt,N))},r=t?"no connection":e===void 0?"":`v${e.version}, up ${I(e.uptimeSeconds)}`;return o`
    <span class=${`server ${t?"bad":""}`} role="status" title=${e===void 0?"":te(e)}>${n===""?r:n}</span>
    <button onClick=${a}
      title="Read dragoman.yaml, the rules, the clients and the plugins again">Reload settings</button>
  `}function kt({isReloaded:e,errors:t,diagnostics:n}){return e?be:`Not reloaded: ${x(t,"error")}. ${n[0]?.message??""}`}function xt({route:e}){let[t,n]=$(),[s,a]=$(""),r=F.find(({name:i})=>i===e.view);return w(()=>{r!==void 0&&(document.title=`${r.title} \xB7 Dragoman`,r.load().then(i=>n(()=>i),i=>a(N(i))))},[r]),r===void 0?o`<p class="empty">There is no view with this name. Choose one of the links at the top.</p>`:s!==""?o`<p class="empty bad">Cannot load this view: ${s}</p>`:t===void 0?o`<p class="empty">Loading…</p>`:o`
    <${t} parameters=${e.parameters} />
  `}function St(){let[e,t]=$(ye);return w(()=>{let n=()=>t(ye());return addEventListener("hashchange",n),()=>removeEventListener("hashchange",n)},[]),e}function ye(){let e=Q(location.hash);return e.view===""?{...e,view:F[0]?.name??""}:e}function Tt({onEnded:e}){let{value:t}=S("session");return t?.session!==!0?null:o`<button onClick=${()=>void Y("session").then(e,e)}>Sign out</button>`}function Ot({onKnown:e}){let[t,n]=$(""),s=b(null);return w(()=>s.current?.focus(),[]),o`
    <main id="main" class="key">
      <h1>Dragoman</h1>
      <p>This proxy’s page needs a key, because it shows who asks what.</p>
      <form onSubmit=${async r=>{r.preventDefault();try{await M("session",s.current?.value.trim()),e()}catch(i){n(N(i))}}}>
        <label for="key">Key</label>
        <input id="key" ref=${s} type="password" autocomplete="current-password" required
          aria-describedby="key-help" />
        <button>Sign in</button>
        <p id="key-help" class="quiet">
          Whoever runs the proxy has it. On the machine of the proxy, the key that your agent uses works, too.
        </p>
        <p role="alert" class="bad">${t}</p>
      </form>
    </main>
  `}var ve=document.getElementById("app");ve!==null&&z(o`<${we} />`,ve);
