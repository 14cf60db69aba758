<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Analysis</name>
    <message>
        <source>no full map was recorded at this step</source>
        <translation>该步没有记录完整图</translation>
    </message>
    <message>
        <source>the model's own weights could not be captured</source>
        <translation>无法捕获模型自身的权重</translation>
    </message>
    <message>
        <source>maps of different shape: recorded {recorded}, recomputed {recomputed} (head, query, key)</source>
        <translation>注意力图的形状不同：记录的为 {recorded}，重算的为 {recomputed}（head, query, key）</translation>
    </message>
    <message>
        <source>every query of this sample is padding</source>
        <translation>该样本的每个查询都是填充</translation>
    </message>
    <message>
        <source>the later run is not checked to its end yet</source>
        <translation>后一次运行尚未检查完</translation>
    </message>
    <message>
        <source>only one of the two runs has layer {layer}</source>
        <translation>两次运行中只有一次有第 {layer} 层</translation>
    </message>
    <message>
        <source>the checkpoint shows it: {evidence}</source>
        <translation>检查点证实了这一点：{evidence}</translation>
    </message>
    <message>
        <source>the checkpoint shows otherwise: {evidence}</source>
        <translation>检查点表明并非如此：{evidence}</translation>
    </message>
    <message>
        <source>not counted: record with attn_debugger.record, which counts non-finite values</source>
        <translation>未计数：请用 attn_debugger.record 记录，它会统计非有限值</translation>
    </message>
    <message>
        <source>the layer's input was {why}</source>
        <translation>该层的输入{why}</translation>
    </message>
    <message>
        <source>q and k were {why}</source>
        <translation>q 与 k {why}</translation>
    </message>
    <message>
        <source>scores not recorded: record(model, path, scores=True)</source>
        <translation>未记录分数：record(model, path, scores=True)</translation>
    </message>
    <message>
        <source>no row of this or a lower layer is without a key</source>
        <translation>本层及更低的层中没有任何一行缺少键</translation>
    </message>
    <message>
        <source>every row of the layer is NaN, as after a bad update; see the gradient norm</source>
        <translation>该层每一行都是 NaN，与一次坏的参数更新之后相同；请查看梯度范数</translation>
    </message>
    <message>
        <source>layer {layer} is the last finite one recorded: look at its output</source>
        <translation>第 {layer} 层是所记录的最后一个有限的层：请查看它的输出</translation>
    </message>
    <message>
        <source>lower layers were finite</source>
        <translation>更低的层都是有限值</translation>
    </message>
    <message>
        <source>needs the padding mask and the causal flag</source>
        <translation>需要填充掩码与因果标志</translation>
    </message>
    <message>
        <source>the first rows of the sample have keys</source>
        <translation>该样本的前几行有可见的键</translation>
    </message>
    <message>
        <source>dtypes</source>
        <translation>数据类型</translation>
    </message>
    <message>
        <source>shapes</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>indices</source>
        <translation>索引</translation>
    </message>
    <message>
        <source>the layer's input holds non-finite values</source>
        <translation>该层的输入含有非有限值</translation>
    </message>
    <message>
        <source>the layer's input is finite</source>
        <translation>该层的输入都是有限值</translation>
    </message>
    <message>
        <source>the input was not finite already</source>
        <translation>输入本身已不是有限值</translation>
    </message>
    <message>
        <source>{broken} hold non-finite values</source>
        <translation>{broken} 含有非有限值</translation>
    </message>
    <message>
        <source>q and k are finite</source>
        <translation>q 与 k 都是有限值</translation>
    </message>
    <message>
        <source>scores of this layer are infinite inside the mask</source>
        <translation>该层的分数在掩码允许的范围内为无穷</translation>
    </message>
    <message>
        <source>no score of this layer is infinite inside the mask</source>
        <translation>该层在掩码允许的范围内没有无穷的分数</translation>
    </message>
    <message>
        <source>layer {layer} has rows without any key at that step</source>
        <translation>第 {layer} 层在该步有看不到任何键的行</translation>
    </message>
    <message>
        <source> of step {step}</source>
        <translation>（第 {step} 步）</translation>
    </message>
    <message>
        <source>the checkpoint{at} holds {n_nonfinite} non-finite parameters</source>
        <translation>检查点{at}含有 {n_nonfinite} 个非有限的参数</translation>
    </message>
    <message>
        <source>gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>only some rows or heads are NaN: the parameters are still finite</source>
        <translation>只有部分行或头为 NaN：参数仍是有限值</translation>
    </message>
    <message>
        <source>there is no recorded layer below</source>
        <translation>其下没有已记录的层</translation>
    </message>
    <message>
        <source>it is the lowest layer: look at the batch and the embedding</source>
        <translation>这是最低的一层：请查看批次与嵌入</translation>
    </message>
    <message>
        <source>the first rows of a causal layer are concerned</source>
        <translation>涉及的是因果层的前几行</translation>
    </message>
    <message>
        <source>the layer is not causal</source>
        <translation>该层不是因果的</translation>
    </message>
    <message>
        <source>see whether all rows of the sample are concerned</source>
        <translation>请看是否该样本的所有行都涉及</translation>
    </message>
    <message>
        <source>the message does not speak of {name}</source>
        <translation>错误信息没有提到{name}</translation>
    </message>
    <message>
        <source>the {word} is not finite at step {bad}, before the weights</source>
        <translation>{word}在第 {bad} 步已不是有限值，早于权重</translation>
    </message>
    <message>
        <source>the message says `{hit}`</source>
        <translation>错误信息中写有 `{hit}`</translation>
    </message>
    <message>
        <source> and </source>
        <translation> 与 </translation>
    </message>
    <message>
        <source>compute_dtype is not recorded</source>
        <translation>未记录 compute_dtype</translation>
    </message>
    <message>
        <source>scores not recorded, or too few frames: scores=True</source>
        <translation>未记录分数，或帧数太少：scores=True</translation>
    </message>
    <message>
        <source>the dropout rate is not recorded</source>
        <translation>未记录 dropout 的比率</translation>
    </message>
    <message>
        <source>no checkpoint is attached</source>
        <translation>没有附上检查点</translation>
    </message>
    <message>
        <source>W_q and W_k differ, and both are trained</source>
        <translation>W_q 与 W_k 不同，且两者都在训练</translation>
    </message>
    <message>
        <source>no checkpoints are attached</source>
        <translation>没有附上检查点</translation>
    </message>
    <message>
        <source>the model was in eval mode</source>
        <translation>模型处于 eval 模式</translation>
    </message>
    <message>
        <source>the backend is {backend}</source>
        <translation>后端是 {backend}</translation>
    </message>
    <message>
        <source>compare the gaps with the evaluation steps</source>
        <translation>请把这些空缺与评估的步对照</translation>
    </message>
    <message>
        <source>the layer is self-attention</source>
        <translation>该层是自注意力</translation>
    </message>
    <message>
        <source>no scale is declared, 1/sqrt(d_head) was assumed</source>
        <translation>没有声明 scale，按 1/sqrt(d_head) 处理</translation>
    </message>
    <message>
        <source>the constant is none of the known factors, or d_head is not recorded</source>
        <translation>该常数不是任何已知的因子，或未记录 d_head</translation>
    </message>
    <message>
        <source>the archive does not declare sink_logit</source>
        <translation>存档没有声明 sink_logit</translation>
    </message>
    <message>
        <source>no mask and no padding are recorded</source>
        <translation>没有记录掩码与填充</translation>
    </message>
    <message>
        <source>the scores have the declared scale</source>
        <translation>分数符合所声明的 scale</translation>
    </message>
    <message>
        <source>scores and softmax are computed in {dtype}</source>
        <translation>分数与 softmax 以 {dtype} 计算</translation>
    </message>
    <message>
        <source>|score| has grown since step {step}</source>
        <translation>|score| 自第 {step} 步起增长</translation>
    </message>
    <message>
        <source>{evidence}, growth over steps was not seen</source>
        <translation>{evidence}，但没有看到它随步增长</translation>
    </message>
    <message>
        <source>the largest |score| does not grow</source>
        <translation>最大的 |score| 没有增长</translation>
    </message>
    <message>
        <source>|score| stays below the limits</source>
        <translation>|score| 一直低于阈值</translation>
    </message>
    <message>
        <source>scores, q and k not recorded: scores=True, qk=True</source>
        <translation>未记录分数、q 与 k：scores=True, qk=True</translation>
    </message>
    <message>
        <source>in the very first frame, {evidence}</source>
        <translation>在最初的一帧中，{evidence}</translation>
    </message>
    <message>
        <source>scores were ordinary in the first frame</source>
        <translation>最初一帧中的分数正常</translation>
    </message>
    <message>
        <source>dropout {dropout:g} was recorded</source>
        <translation>记录的 dropout 为 {dropout:g}</translation>
    </message>
    <message>
        <source>the run lists checkpoints: load one in the model panel</source>
        <translation>该运行列有检查点：请在模型面板中载入一个</translation>
    </message>
    <message>
        <source>W_q and W_k differ; whether both are used shows between two checkpoints</source>
        <translation>W_q 与 W_k 不同；两者是否都被使用，要比较两个检查点才知道</translation>
    </message>
    <message>
        <source>W_q and W_k differ, and neither has moved since the earliest checkpoint</source>
        <translation>W_q 与 W_k 不同，但自最早的检查点以来两者都没有变化</translation>
    </message>
    <message>
        <source>the run lists checkpoints: read them in the model panel</source>
        <translation>该运行列有检查点：请在模型面板中读取它们</translation>
    </message>
    <message>
        <source>the mode (train or eval) is not recorded</source>
        <translation>未记录模式（train 或 eval）</translation>
    </message>
    <message>
        <source>the model was in training mode</source>
        <translation>模型处于训练模式</translation>
    </message>
    <message>
        <source>the attention backend is not recorded</source>
        <translation>未记录注意力后端</translation>
    </message>
    <message>
        <source>the backend is eager</source>
        <translation>后端是 eager</translation>
    </message>
    <message>
        <source>the backend is not recorded</source>
        <translation>未记录后端</translation>
    </message>
    <message>
        <source>gaps begin in the {stream} stream</source>
        <translation>空缺出现在数据流 {stream} 中</translation>
    </message>
    <message>
        <source>every frame is a gap, not the evaluation steps alone</source>
        <translation>每一帧都是空缺，并不只是评估的步</translation>
    </message>
    <message>
        <source>the layer is cross-attention; see whether it ever aligned</source>
        <translation>该层是交叉注意力；请看它是否曾经对齐过</translation>
    </message>
    <message>
        <source>scale {scale:.4g} is declared</source>
        <translation>声明的 scale 为 {scale:.4g}</translation>
    </message>
    <message>
        <source>compare the missing mass with what the masked keys would get</source>
        <translation>请把缺少的质量与被屏蔽的键本应得到的质量对照</translation>
    </message>
    <message>
        <source>dropout {rate:g} was recorded</source>
        <translation>记录的 dropout 为 {rate:g}</translation>
    </message>
    <message>
        <source>dropout 0 was recorded</source>
        <translation>记录的 dropout 为 0</translation>
    </message>
    <message>
        <source>the learning rate starts at {rate:.3g} and peaks at {peak:.3g}</source>
        <translation>学习率从 {rate:.3g} 开始，最高为 {peak:.3g}</translation>
    </message>
    <message>
        <source>the learning rate reaches {peak:.3g}</source>
        <translation>学习率最高达到 {peak:.3g}</translation>
    </message>
    <message>
        <source>needs a fixed probe: record(model, path, probe=batch)</source>
        <translation>需要固定的探针批次：record(model, path, probe=batch)</translation>
    </message>
    <message>
        <source>the archive does not say whether the run was resumed</source>
        <translation>存档没有说明该运行是否曾恢复</translation>
    </message>
    <message>
        <source>learning rate and gradient norm were not both logged: recorder.log(lr=, grad_norm=)</source>
        <translation>学习率与梯度范数没有都记录：recorder.log(lr=, grad_norm=)</translation>
    </message>
    <message>
        <source>the loss was not logged: recorder.log(loss=...)</source>
        <translation>未记录损失：recorder.log(loss=...)</translation>
    </message>
    <message>
        <source>{count} heads changed at once</source>
        <translation>{count} 个头同时改变</translation>
    </message>
    <message>
        <source>the learning rate was not logged: recorder.log(lr=...)</source>
        <translation>未记录学习率：recorder.log(lr=...)</translation>
    </message>
    <message>
        <source>the learning rate is {rate:.3g} from the first step on</source>
        <translation>学习率从第一步起就是 {rate:.3g}</translation>
    </message>
    <message>
        <source>the logged learning rate is 0</source>
        <translation>记录的学习率为 0</translation>
    </message>
    <message>
        <source>the maps do not change on the fixed probe</source>
        <translation>注意力图在固定的探针批次上没有变化</translation>
    </message>
    <message>
        <source>the maps change on the fixed probe</source>
        <translation>注意力图在固定的探针批次上有变化</translation>
    </message>
    <message>
        <source>the run was resumed at step {step}</source>
        <translation>该运行在第 {step} 步恢复</translation>
    </message>
    <message>
        <source>no resume is among the run's events</source>
        <translation>该运行的事件中没有恢复</translation>
    </message>
    <message>
        <source>the gradient norm broke at step {step}</source>
        <translation>梯度范数在第 {step} 步失常</translation>
    </message>
    <message>
        <source>the learning rate rises to {rate:.3g}</source>
        <translation>学习率升到 {rate:.3g}</translation>
    </message>
    <message>
        <source>neither learning rate nor gradient norm rose at that step</source>
        <translation>学习率与梯度范数在该步都没有上升</translation>
    </message>
    <message>
        <source>the loss broke at step {step}</source>
        <translation>损失在第 {step} 步失常</translation>
    </message>
    <message>
        <source>the loss shows no anomaly</source>
        <translation>损失没有异常</translation>
    </message>
    <message>
        <source>{count} head(s) changed</source>
        <translation>{count} 个头改变</translation>
    </message>
    <message>
        <source>nearly all mass is on padding</source>
        <translation>几乎全部质量都在填充上</translation>
    </message>
    <message>
        <source>most mass is on real keys</source>
        <translation>大部分质量在真实的键上</translation>
    </message>
    <message>
        <source>padding gets its even share, like any token</source>
        <translation>填充与任何词元一样得到平均的份额</translation>
    </message>
    <message>
        <source>padding gets far less, or far more, than its even share</source>
        <translation>填充得到的远少于或远多于平均的份额</translation>
    </message>
    <message>
        <source>padding gets far less than its even share</source>
        <translation>填充得到的远少于平均的份额</translation>
    </message>
    <message>
        <source>padding gets its even share or more</source>
        <translation>填充得到平均的份额或更多</translation>
    </message>
    <message>
        <source>weight far in the future</source>
        <translation>权重落在很远的未来</translation>
    </message>
    <message>
        <source>no weight beyond the next position</source>
        <translation>权重不超过下一个位置</translation>
    </message>
    <message>
        <source>weight on the next position only</source>
        <translation>权重只落在下一个位置</translation>
    </message>
    <message>
        <source>weight farther ahead than one position</source>
        <translation>权重落在比一个位置更远的前方</translation>
    </message>
    <message>
        <source>weight at distance = window only</source>
        <translation>权重只落在距离 = 窗口处</translation>
    </message>
    <message>
        <source>weight farther than the window's edge</source>
        <translation>权重落在窗口边缘之外</translation>
    </message>
    <message>
        <source>weight far beyond the window</source>
        <translation>权重远在窗口之外</translation>
    </message>
    <message>
        <source>no weight beyond distance = window</source>
        <translation>距离 = 窗口之外没有权重</translation>
    </message>
    <message>
        <source>all leaking cells have one weight</source>
        <translation>所有泄漏的单元格权重相同</translation>
    </message>
    <message>
        <source>the leaking weights differ</source>
        <translation>泄漏的权重各不相同</translation>
    </message>
    <message>
        <source>the missing cells are those after the query's row number</source>
        <translation>缺少的是查询行号之后的单元格</translation>
    </message>
    <message>
        <source>another pattern</source>
        <translation>是另一种模式</translation>
    </message>
    <message>
        <source>exactly the diagonal is missing</source>
        <translation>恰好缺少对角线</translation>
    </message>
    <message>
        <source>the diagonal is there, or more is missing</source>
        <translation>对角线存在，或缺少的更多</translation>
    </message>
    <message>
        <source>everything beyond one distance is missing</source>
        <translation>某一距离之外全部缺少</translation>
    </message>
    <message>
        <source>the factor is sqrt(d_head)</source>
        <translation>因子是 sqrt(d_head)</translation>
    </message>
    <message>
        <source>the factor is not sqrt(d_head)</source>
        <translation>因子不是 sqrt(d_head)</translation>
    </message>
    <message>
        <source>the factor is 1/sqrt(d_head)</source>
        <translation>因子是 1/sqrt(d_head)</translation>
    </message>
    <message>
        <source>the factor is not 1/sqrt(d_head)</source>
        <translation>因子不是 1/sqrt(d_head)</translation>
    </message>
    <message>
        <source>the factor is 1/sqrt(heads)</source>
        <translation>因子是 1/sqrt(heads)</translation>
    </message>
    <message>
        <source>the factor is not 1/sqrt(heads)</source>
        <translation>因子不是 1/sqrt(heads)</translation>
    </message>
    <message>
        <source>tiled key heads explain the scores</source>
        <translation>把键头平铺（tile）可以解释这些分数</translation>
    </message>
    <message>
        <source>tiled key heads do not explain the scores</source>
        <translation>把键头平铺（tile）不能解释这些分数</translation>
    </message>
    <message>
        <source>a side equals the batch size</source>
        <translation>有一边等于批次大小</translation>
    </message>
    <message>
        <source>no side equals the declared batch size</source>
        <translation>没有一边等于所声明的批次大小</translation>
    </message>
    <message>
        <source>one head is stored</source>
        <translation>只存储了一个头</translation>
    </message>
    <message>
        <source>more than one head is stored</source>
        <translation>存储了多于一个头</translation>
    </message>
    <message>
        <source>the id is negative</source>
        <translation>该 id 为负</translation>
    </message>
    <message>
        <source>no id is negative</source>
        <translation>没有负的 id</translation>
    </message>
    <message>
        <source>the id is beyond the vocabulary</source>
        <translation>该 id 超出词表</translation>
    </message>
    <message>
        <source>no id is beyond the vocabulary</source>
        <translation>没有超出词表的 id</translation>
    </message>
    <message>
        <source>all heads of the layer are equal</source>
        <translation>该层所有的头都相同</translation>
    </message>
    <message>
        <source>only some heads are equal</source>
        <translation>只有部分头相同</translation>
    </message>
    <message>
        <source>no value is positive</source>
        <translation>没有正值</translation>
    </message>
    <message>
        <source>some values are positive</source>
        <translation>有些值为正</translation>
    </message>
    <message>
        <source>repeated tokens cannot be told apart</source>
        <translation>无法区分重复的词元</translation>
    </message>
    <message>
        <source>neighbours are told apart nearby</source>
        <translation>附近的相邻词元可以区分</translation>
    </message>
    <message>
        <source>keys beyond 256 fall together</source>
        <translation>256 之后的键无法区分</translation>
    </message>
    <message>
        <source>repeated tokens are alike everywhere</source>
        <translation>重复的词元处处相同</translation>
    </message>
    <message>
        <source>the sides are padded to a multiple of 128</source>
        <translation>各边被填充到 128 的倍数</translation>
    </message>
    <message>
        <source>the sides are not padded</source>
        <translation>各边没有被填充</translation>
    </message>
    <message>
        <source>; </source>
        <translation>；</translation>
    </message>
    <message>
        <source>nothing in the archive tells</source>
        <translation>存档中没有任何信息能说明</translation>
    </message>
    <message>
        <source>the maps alone do not tell</source>
        <translation>仅凭注意力图无法判断</translation>
    </message>
    <message>
        <source>label</source>
        <translation>标注</translation>
    </message>
    <message>
        <source>notice</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>critical</source>
        <translation>严重</translation>
    </message>
    <message>
        <source>the later run ends at step {last}, before step {first}, where this began</source>
        <translation>后一次运行在第 {last} 步结束，早于此问题开始的第 {first} 步</translation>
    </message>
    <message>
        <source>was {was}, is {now}</source>
        <translation>曾为{was}，现为{now}</translation>
    </message>
    <message>
        <source>was in {before} heads, is in {after}</source>
        <translation>曾涉及 {before} 个头，现为 {after} 个</translation>
    </message>
    <message>
        <source>no frame was examined</source>
        <translation>没有检查任何帧</translation>
    </message>
    <message>
        <source>the new run has no layer {layer}</source>
        <translation>新的运行没有第 {layer} 层</translation>
    </message>
    <message>
        <source>the earlier run did not judge it: {reason}</source>
        <translation>先前的运行没有评估它：{reason}</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>samples {first} to {last} of {total}</source>
        <translation>{total} 个样本中的第 {first} 至 {last} 个</translation>
    </message>
    <message>
        <source>{examined} of {total} frames</source>
        <translation>{total} 帧中的 {examined} 帧</translation>
    </message>
    <message>
        <source>all {total} samples</source>
        <translation>全部 {total} 个样本</translation>
    </message>
    <message>
        <source>sample {sample} of {total}</source>
        <translation>样本 {sample}（共 {total} 个）</translation>
    </message>
    <message>
        <source>rank {rank} of {world}</source>
        <translation>rank {rank}（共 {world} 个）</translation>
    </message>
    <message>
        <source> </source>
        <translation>​</translation>
    </message>
    <message>
        <source>layers {layers}</source>
        <translation>第 {layers} 层</translation>
    </message>
    <message>
        <source>The {what} had left its trend {steps} before.</source>
        <translation>{what}在 {steps}之前已偏离其趋势。</translation>
    </message>
    <message>
        <source>Nothing as loud as a warning; what may matter: {finding}</source>
        <translation>没有达到警告程度的问题；可能值得注意：{finding}</translation>
    </message>
    <message>
        <source>First, {what}</source>
        <translation>首先，{what}</translation>
    </message>
    <message>
        <source>Then, {what}</source>
        <translation>然后，{what}</translation>
    </message>
    <message>
        <source>every other layer</source>
        <translation>其余每一层</translation>
    </message>
    <message>
        <source>The same at the same step in {where}.</source>
        <translation>{where}在同一步出现同样的情况。</translation>
    </message>
    <message>
        <source>The same at the same step or later in {where}.</source>
        <translation>{where}在同一步或之后出现同样的情况。</translation>
    </message>
    <message>
        <source>layer {layer}</source>
        <translation>第 {layer} 层</translation>
    </message>
    <message>
        <source>That is {steps} before the {what} leaves its trend (step {step}).</source>
        <translation>这比{what}偏离其趋势（第 {step} 步）早 {steps}。</translation>
    </message>
    <message>
        <source>The {what} leaves its trend at that very step.</source>
        <translation>{what}正是在这一步偏离其趋势。</translation>
    </message>
    <message>
        <source>1 step</source>
        <translation>1 步</translation>
    </message>
    <message>
        <source>{count} steps</source>
        <translation>{count} 步</translation>
    </message>
    <message>
        <source>{n} later problems are in the list.</source>
        <translation>另有 {n} 个较晚的问题在列表中。</translation>
    </message>
    <message>
        <source>This is the order in which they set in; order alone is not a cause.</source>
        <translation>这是它们开始出现的先后；先后本身并不说明因果。</translation>
    </message>
    <message>
        <source>The archive points to this: {cause} ({because}).</source>
        <translation>存档指向这一原因：{cause}（{because}）。</translation>
    </message>
    <message>
        <source>Where it came from is not known: {because}.</source>
        <translation>它从何而来尚不清楚：{because}。</translation>
    </message>
    <message>
        <source>1 more flag follows from it and is folded away.</source>
        <translation>另有 1 条告警由它引起，已折叠。</translation>
    </message>
    <message>
        <source>{n} more flags follow from it and are folded away.</source>
        <translation>另有 {n} 条告警由它引起，已折叠。</translation>
    </message>
    <message>
        <source>trace / nuclear norm of W_q^T W_k is {ratio:.2f} at step {step}</source>
        <translation>W_q^T W_k 的迹与核范数之比在第 {step} 步为 {ratio:.2f}</translation>
    </message>
    <message>
        <source>W_{letter} has std {std:.2g} at step {step} where xavier gives {xavier:.2g} and kaiming {kaiming:.2g}</source>
        <translation>W_{letter} 在第 {step} 步的标准差为 {std:.2g}，而 xavier 为 {xavier:.2g}，kaiming 为 {kaiming:.2g}</translation>
    </message>
    <message>
        <source>{said} and both have moved since step {first}</source>
        <translation>{said}，且两者自第 {first} 步以来都有变化</translation>
    </message>
    <message>
        <source>from step {start} to {end}: {told} what it was</source>
        <translation>从第 {start} 步到第 {end} 步：{told}</translation>
    </message>
    <message>
        <source>W_{letter} is bitwise the same at steps {first} and {step} while the other moves: the forward does not use it</source>
        <translation>W_{letter} 在第 {first} 步与第 {step} 步逐位相同，而另一个在变化：前向传播没有用到它</translation>
    </message>
    <message>
        <source>{said}: the two are one matrix</source>
        <translation>{said}：两者是同一个矩阵</translation>
    </message>
    <message>
        <source>{said}, where 1.00 is the same matrix</source>
        <translation>{said}，而 1.00 表示同一个矩阵</translation>
    </message>
    <message>
        <source>{said}: the matrices differ; whether both are used shows between two checkpoints</source>
        <translation>{said}：两个矩阵不同；两者是否都被使用，要比较两个检查点才知道</translation>
    </message>
    <message>
        <source>||W_{letter}|| {factor:.2g} times</source>
        <translation>||W_{letter}|| 变为原来的 {factor:.2g} 倍</translation>
    </message>
    <message>
        <source>{said}; its start was not saved</source>
        <translation>{said}；最初的检查点没有保存</translation>
    </message>
    <message>
        <source>heads {heads}</source>
        <translation>头 {heads}</translation>
    </message>
    <message>
        <source>{several} and {last}</source>
        <translation>{several} 与 {last}</translation>
    </message>
    <message>
        <source>from step {first} to {last} ({frames} frames)</source>
        <translation>从第 {first} 步到第 {last} 步（{frames} 帧）</translation>
    </message>
    <message>
        <source>{sentence}.</source>
        <translation>{sentence}。</translation>
    </message>
    <message>
        <source>in layer {layer}</source>
        <translation>在第 {layer} 层</translation>
    </message>
    <message>
        <source>all {total} heads</source>
        <translation>全部 {total} 个头</translation>
    </message>
    <message>
        <source>head {head}</source>
        <translation>头 {head}</translation>
    </message>
    <message>
        <source>at step {step}</source>
        <translation>在第 {step} 步</translation>
    </message>
    <message>
        <source>from step {first} to {last}</source>
        <translation>从第 {first} 步到第 {last} 步</translation>
    </message>
    <message>
        <source>{first} to {last}</source>
        <translation>{first} 至 {last}</translation>
    </message>
    <message>
        <source>no weights were captured</source>
        <translation>没有捕获到权重</translation>
    </message>
    <message>
        <source>only statistics and overviews were stored</source>
        <translation>只存储了统计量与概览</translation>
    </message>
    <message>
        <source>could not be computed ({kind}: {error})</source>
        <translation>无法计算（{kind}：{error}）</translation>
    </message>
    <message>
        <source>; loss breaks at step {step}</source>
        <translation>；损失在第 {step} 步失常</translation>
    </message>
    <message>
        <source>; scores of the layer pass {limit:g}</source>
        <translation>；该层的分数超过 {limit:g}</translation>
    </message>
    <message>
        <source> in {module}</source>
        <translation>（在 {module} 中）</translation>
    </message>
    <message>
        <source>not finite</source>
        <translation>不是有限值</translation>
    </message>
    <message>
        <source>the model's forward raised{where}: {message}</source>
        <translation>模型的前向传播{where}抛出异常：{message}</translation>
    </message>
    <message>
        <source>the {name} leaves its trend ({shown})</source>
        <translation>{name}偏离其趋势（{shown}）</translation>
    </message>
    <message>
        <source>the learning rate is at its maximum from the first step</source>
        <translation>学习率从第一步起就处于最大值</translation>
    </message>
    <message>
        <source>the learning rate was not logged</source>
        <translation>未记录学习率</translation>
    </message>
    <message>
        <source>fewer than five values of {name} were logged</source>
        <translation>记录的 {name} 少于五个值</translation>
    </message>
    <message>
        <source>no message was kept</source>
        <translation>没有保存错误信息</translation>
    </message>
    <message>
        <source>no head of any layer changes although the layers are trainable</source>
        <translation>各层虽然可训练，却没有任何一层的任何头发生变化</translation>
    </message>
    <message>
        <source>{text} ({length} intervals)</source>
        <translation>{text}（{length} 个间隔）</translation>
    </message>
    <message>
        <source>intervals without any change</source>
        <translation>没有任何变化的间隔</translation>
    </message>
    <message>
        <source>maps are identical bit by bit while other heads keep learning</source>
        <translation>注意力图逐位相同，而其他的头仍在学习</translation>
    </message>
    <message>
        <source>no head of the layer changes while other layers keep learning</source>
        <translation>该层没有任何头发生变化，而其他层仍在学习</translation>
    </message>
    <message>
        <source>the largest |score| passes {value} and doubles every {every}: at that pace 1e4 is {ahead} away (peak so far {peak})</source>
        <translation>最大的 |score| 超过 {value}，每{every}翻一倍：照此速度，{ahead}后达到 1e4（目前最高 {peak}）</translation>
    </message>
    <message>
        <source>{doubling:.0f} steps</source>
        <translation> {doubling:.0f} 步</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>about {left:.0f} steps</source>
        <translation>约 {left:.0f} 步</translation>
    </message>
    <message>
        <source>a step</source>
        <translation>一步</translation>
    </message>
    <message>
        <source>; head {head} is the first of {n}</source>
        <translation>；头 {head} 是 {n} 个中的第一个</translation>
    </message>
    <message>
        <source>|score|</source>
        <translation>|分数|</translation>
    </message>
    <message>
        <source>needs the same batch in every frame</source>
        <translation>需要每一帧使用同一批次</translation>
    </message>
    <message>
        <source>the heads' contributions are not recorded</source>
        <translation>未记录各头的贡献</translation>
    </message>
    <message>
        <source>followed in the first {count} samples only</source>
        <translation>只跟踪了前 {count} 个样本</translation>
    </message>
    <message>
        <source>an earlier fault hides it</source>
        <translation>被更早的故障掩盖</translation>
    </message>
    <message>
        <source>the run is not known to be past warm-up</source>
        <translation>不清楚该运行是否已过预热</translation>
    </message>
    <message>
        <source>the recorded scores are those after the soft-cap</source>
        <translation>记录的分数是软上限之后的</translation>
    </message>
    <message>
        <source>record the scores before the soft-cap</source>
        <translation>请记录软上限之前的分数</translation>
    </message>
    <message>
        <source>fewer than five frames with scores</source>
        <translation>带有分数的帧少于五帧</translation>
    </message>
    <message>
        <source>record more often: record(model, path, every=...)</source>
        <translation>请更频繁地记录：record(model, path, every=...)</translation>
    </message>
    <message>
        <source>whether the run is past warm-up is not recorded</source>
        <translation>未记录该运行是否已过预热</translation>
    </message>
    <message>
        <source>record(model, path, attributes={'trained': True})</source>
        <translation>record(model, path, attributes={'trained': True})</translation>
    </message>
    <message>
        <source>needs two frames</source>
        <translation>需要两帧</translation>
    </message>
    <message>
        <source>needs four frames</source>
        <translation>需要四帧</translation>
    </message>
    <message>
        <source>scores not recorded</source>
        <translation>未记录分数</translation>
    </message>
    <message>
        <source>{reason} ({rows} pooled)</source>
        <translation>{reason}（已汇集 {rows} 行）</translation>
    </message>
    <message>
        <source>record(model, path, probe=batch)</source>
        <translation>record(model, path, probe=batch)</translation>
    </message>
    <message>
        <source>the shape of the map differs between frames</source>
        <translation>各帧的注意力图形状不同</translation>
    </message>
    <message>
        <source>uint8 storage hides small changes</source>
        <translation>以 uint8 存储会掩盖微小的变化</translation>
    </message>
    <message>
        <source>fewer than six frames</source>
        <translation>少于六帧</translation>
    </message>
    <message>
        <source>fewer than four frames</source>
        <translation>少于四帧</translation>
    </message>
    <message>
        <source>the layer is frozen on purpose</source>
        <translation>该层是有意冻结的</translation>
    </message>
    <message>
        <source>maps on the fixed probe change at once (divergence {largest:.2g} nats, far above their own history)</source>
        <translation>固定探针批次上的注意力图突然改变（散度 {largest:.2g} 奈特，远高于其自身的历史）</translation>
    </message>
    <message>
        <source>nats</source>
        <translation>奈特</translation>
    </message>
    <message>
        <source>maps swing between two states from frame to frame</source>
        <translation>注意力图逐帧在两种状态之间摇摆</translation>
    </message>
    <message>
        <source>attention is uniform ({off} nats from an even spread)</source>
        <translation>注意力是均匀的（与平均分布相差 {off} 奈特）</translation>
    </message>
    <message>
        <source>less than 0.001</source>
        <translation>小于 0.001</translation>
    </message>
    <message>
        <source>{evidence}; it lasts to the last frame</source>
        <translation>{evidence}；并持续到最后一帧</translation>
    </message>
    <message>
        <source>; structure it once had is gone</source>
        <translation>；曾有的结构已经消失</translation>
    </message>
    <message>
        <source>contributes {share:.2%} of the layer's output at most</source>
        <translation>至多贡献该层输出的 {share:.2%}</translation>
    </message>
    <message>
        <source>share of the output</source>
        <translation>占输出的份额</translation>
    </message>
    <message>
        <source>, as in {share:.0%} of all heads</source>
        <translation>，全部头中有 {share:.0%} 如此</translation>
    </message>
    <message>
        <source>the heads converge to one pattern: their divergence fell to {ratio:.1%} of what it was</source>
        <translation>各头趋于同一种模式：它们之间的散度降到原来的 {ratio:.1%}</translation>
    </message>
    <message>
        <source>of the largest divergence between heads</source>
        <translation>各头之间最大散度的份额</translation>
    </message>
    <message>
        <source>the heads look alike: their entropies differ by {spread:.3f} of ln n, their maps by {divergence:.3f} nats</source>
        <translation>各头看起来相似：熵相差 ln n 的 {spread:.3f}，注意力图相差 {divergence:.3f} 奈特</translation>
    </message>
    <message>
        <source>nats between heads</source>
        <translation>奈特（各头之间）</translation>
    </message>
    <message>
        <source>nats from uniform</source>
        <translation>奈特（与均匀分布之差）</translation>
    </message>
    <message>
        <source>, pooled over {rows} short rows</source>
        <translation>，由 {rows} 个短行汇集而得</translation>
    </message>
    <message>
        <source>each token attends only to itself{pooled}</source>
        <translation>每个词元只关注自己{pooled}</translation>
    </message>
    <message>
        <source>mass above chance</source>
        <translation>高于随机水平的质量</translation>
    </message>
    <message>
        <source>key {key} receives {share:.0%} of every query's attention{pooled}</source>
        <translation>键 {key} 得到每个查询 {share:.0%} 的注意力{pooled}</translation>
    </message>
    <message>
        <source>mean weight</source>
        <translation>平均权重</translation>
    </message>
    <message>
        <source>rows are nearly one-hot{pooled}</source>
        <translation>各行接近 one-hot{pooled}</translation>
    </message>
    <message>
        <source>entropy / ln(keys)</source>
        <translation>熵 / ln(键数)</translation>
    </message>
    <message>
        <source>sink</source>
        <translation>注意力汇</translation>
    </message>
    <message>
        <source>diagonal</source>
        <translation>对角线</translation>
    </message>
    <message>
        <source>previous-token</source>
        <translation>前一词元</translation>
    </message>
    <message>
        <source>next-token</source>
        <translation>后一词元</translation>
    </message>
    <message>
        <source>induction</source>
        <translation>归纳</translation>
    </message>
    <message>
        <source>offset {offset:+d}</source>
        <translation>偏移 {offset:+d}</translation>
    </message>
    <message>
        <source>key padding</source>
        <translation>键的填充</translation>
    </message>
    <message>
        <source>the attributes say causal, but the intended mask itself allows later keys; set structural_mask if that is meant, as in a prefix LM</source>
        <translation>属性声明为因果，但预期的掩码本身允许更晚的键；若确实如此（例如前缀语言模型），请设置 structural_mask</translation>
    </message>
    <message>
        <source>{what} has shape {values_shape}, the map has {length} on that axis</source>
        <translation>{what}的形状为 {values_shape}，而注意力图在该轴上为 {length}</translation>
    </message>
    <message>
        <source>query padding</source>
        <translation>查询的填充</translation>
    </message>
    <message>
        <source>documents have lengths {queries_shape} and {keys_shape}, the map is {n_queries} x {n_keys}</source>
        <translation>documents 的长度为 {queries_shape} 与 {keys_shape}，而注意力图为 {n_queries} x {n_keys}</translation>
    </message>
    <message>
        <source>the intended mask has shape {mask_shape}, the weights {shape}</source>
        <translation>预期的掩码形状为 {mask_shape}，权重为 {shape}</translation>
    </message>
    <message>
        <source>Which rows count</source>
        <translation>哪些行计入</translation>
    </message>
    <message>
        <source>Row sums</source>
        <translation>行和</translation>
    </message>
    <message>
        <source>Masks</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>Scores</source>
        <translation>分数</translation>
    </message>
    <message>
        <source>Structure</source>
        <translation>结构</translation>
    </message>
    <message>
        <source>Distribution</source>
        <translation>分布</translation>
    </message>
    <message>
        <source>Changes over steps (on a fixed probe)</source>
        <translation>随步的变化（固定的探针批次）</translation>
    </message>
    <message>
        <source>Run and outputs</source>
        <translation>运行与输出</translation>
    </message>
    <message>
        <source>keys a row may see, at least</source>
        <translation>一行至少可见的键数</translation>
    </message>
    <message>
        <source>keys</source>
        <translation>个键</translation>
    </message>
    <message>
        <source>rows a head needs for a verdict</source>
        <translation>一个头作出判断所需的行数</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>mass a row has on keys it may see, at least</source>
        <translation>一行在其可见的键上至少应有的质量</translation>
    </message>
    <message>
        <source>share</source>
        <translation>份额</translation>
    </message>
    <message>
        <source>|sum - 1| of a row, float32</source>
        <translation>一行的 |和 - 1|，float32</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>|sum - 1| of a row, float16</source>
        <translation>一行的 |和 - 1|，float16</translation>
    </message>
    <message>
        <source>|sum - 1| of a row, bfloat16</source>
        <translation>一行的 |和 - 1|，bfloat16</translation>
    </message>
    <message>
        <source>|sum - 1| of a row, roots in bytes</source>
        <translation>一行的 |和 - 1|，以字节存储的平方根</translation>
    </message>
    <message>
        <source>added for each key of a row</source>
        <translation>一行中每个键另加</translation>
    </message>
    <message>
        <source>deviation / mean of row sums that count as one constant</source>
        <translation>行和的偏差 / 均值，低于它算作同一常数</translation>
    </message>
    <message>
        <source>ratio</source>
        <translation>比值</translation>
    </message>
    <message>
        <source>weight below zero that is no rounding</source>
        <translation>低于零且并非舍入所致的权重</translation>
    </message>
    <message>
        <source>allowed cells that are exactly zero</source>
        <translation>恰好为零的允许单元格</translation>
    </message>
    <message>
        <source>weight where a mask forbids it, float32</source>
        <translation>掩码禁止处的权重，float32</translation>
    </message>
    <message>
        <source>weight where a mask forbids it, half precision</source>
        <translation>掩码禁止处的权重，半精度</translation>
    </message>
    <message>
        <source>weight where a mask forbids it, bytes</source>
        <translation>掩码禁止处的权重，字节</translation>
    </message>
    <message>
        <source>mean forbidden weight of a row: critical</source>
        <translation>一行平均的被禁止权重：严重</translation>
    </message>
    <message>
        <source>mean forbidden weight of a row: the mask is the wrong way round</source>
        <translation>一行平均的被禁止权重：掩码方向相反</translation>
    </message>
    <message>
        <source>allowed cells that are zero in every head</source>
        <translation>在每个头中都为零的允许单元格</translation>
    </message>
    <message>
        <source>|score|: notice</source>
        <translation>|score|：提示</translation>
    </message>
    <message>
        <source>score</source>
        <translation>分数</translation>
    </message>
    <message>
        <source>|score|: said again</source>
        <translation>|score|：再次提示</translation>
    </message>
    <message>
        <source>|score|: warning</source>
        <translation>|score|：警告</translation>
    </message>
    <message>
        <source>|score|: critical</source>
        <translation>|score|：严重</translation>
    </message>
    <message>
        <source>how many times below 65504 scores in float16 may come</source>
        <translation>float16 的分数可接近 65504 到几分之一</translation>
    </message>
    <message>
        <source>times</source>
        <translation>倍</translation>
    </message>
    <message>
        <source>growth over four frames</source>
        <translation>四帧之间的增长</translation>
    </message>
    <message>
        <source>time left until 1e4, of the steps so far</source>
        <translation>到 1e4 所剩的时间，相对于目前的步数</translation>
    </message>
    <message>
        <source>|scores / expected - 1|: warning</source>
        <translation>|分数 / 预期 - 1|：警告</translation>
    </message>
    <message>
        <source>scores / expected: critical</source>
        <translation>分数 / 预期：严重</translation>
    </message>
    <message>
        <source>correlation of the scores with q.k, at least</source>
        <translation>分数与 q.k 的相关系数，至少</translation>
    </message>
    <message>
        <source>correlation</source>
        <translation>相关系数</translation>
    </message>
    <message>
        <source>rows whose maximum is shared</source>
        <translation>最大值被多个键共有的行</translation>
    </message>
    <message>
        <source>distance of neighbouring numbers at the maximum</source>
        <translation>最大值处相邻两数的间距</translation>
    </message>
    <message>
        <source>beyond the soft-cap</source>
        <translation>超出软上限</translation>
    </message>
    <message>
        <source>rows within 5 % of the soft-cap</source>
        <translation>在软上限 5 % 以内的行</translation>
    </message>
    <message>
        <source>weight on the own key above chance</source>
        <translation>高于随机水平的自身键权重</translation>
    </message>
    <message>
        <source>heads of a layer on the diagonal: warning</source>
        <translation>一层中处于对角线的头：警告</translation>
    </message>
    <message>
        <source>weight on one offset above chance</source>
        <translation>高于随机水平的单一偏移权重</translation>
    </message>
    <message>
        <source>mean weight on one key</source>
        <translation>单个键上的平均权重</translation>
    </message>
    <message>
        <source>mean weight on one key, self-attention</source>
        <translation>单个键上的平均权重，自注意力</translation>
    </message>
    <message>
        <source>mean weight on one key, cross-attention</source>
        <translation>单个键上的平均权重，交叉注意力</translation>
    </message>
    <message>
        <source>heads of a layer that make a finding of the whole layer</source>
        <translation>一层中有多少头才构成整层的发现</translation>
    </message>
    <message>
        <source>mean weight on special tokens</source>
        <translation>特殊词元上的平均权重</translation>
    </message>
    <message>
        <source>|slope / declared - 1|</source>
        <translation>|斜率 / 声明值 - 1|</translation>
    </message>
    <message>
        <source>entropy / ln(keys) of a nearly one-hot head</source>
        <translation>接近 one-hot 的头的熵 / ln(键数)</translation>
    </message>
    <message>
        <source>distance from uniform</source>
        <translation>与均匀分布的距离</translation>
    </message>
    <message>
        <source>distance from uniform that a layer once had</source>
        <translation>一层曾经与均匀分布的距离</translation>
    </message>
    <message>
        <source>variation between rows</source>
        <translation>各行之间的变化</translation>
    </message>
    <message>
        <source>cosine of the maps of neighbouring layers</source>
        <translation>相邻层注意力图的余弦</translation>
    </message>
    <message>
        <source>cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>largest difference of two heads that are copies</source>
        <translation>互为副本的两个头的最大差</translation>
    </message>
    <message>
        <source>divergence between heads, of the largest so far</source>
        <translation>各头之间的散度，相对于至今最大值</translation>
    </message>
    <message>
        <source>divergence between heads that there must have been</source>
        <translation>各头之间曾经必须有过的散度</translation>
    </message>
    <message>
        <source>deviation of the entropies of a layer's heads / ln(keys)</source>
        <translation>一层各头的熵的偏差 / ln(键数)</translation>
    </message>
    <message>
        <source>divergence between heads</source>
        <translation>各头之间的散度</translation>
    </message>
    <message>
        <source>divergence from the frame before</source>
        <translation>与前一帧的散度</translation>
    </message>
    <message>
        <source>robust deviations above the head's own history</source>
        <translation>高于该头自身历史的稳健偏差</translation>
    </message>
    <message>
        <source>deviations</source>
        <translation>偏差</translation>
    </message>
    <message>
        <source>times its median</source>
        <translation>其中位数的倍数</translation>
    </message>
    <message>
        <source>heads of a layer that change: warning</source>
        <translation>一层中改变的头：警告</translation>
    </message>
    <message>
        <source>divergence over two frames / over one</source>
        <translation>隔两帧的散度 / 隔一帧的散度</translation>
    </message>
    <message>
        <source>divergence of a head that moves</source>
        <translation>有变化的头的散度</translation>
    </message>
    <message>
        <source>steps after which persistence counts</source>
        <translation>持续性从多少步起计入</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>robust deviations of loss or gradient norm above the trend</source>
        <translation>损失或梯度范数高于趋势的稳健偏差</translation>
    </message>
    <message>
        <source>rise of the loss</source>
        <translation>损失的上升</translation>
    </message>
    <message>
        <source>rise of the gradient norm</source>
        <translation>梯度范数的上升</translation>
    </message>
    <message>
        <source>variance of a layer's output, against the layers before</source>
        <translation>一层输出的方差，相对于更低的层</translation>
    </message>
    <message>
        <source>variance of a layer's output, against its own earlier frames</source>
        <translation>一层输出的方差，相对于其自身较早的帧</translation>
    </message>
    <message>
        <source>share of a head in its layer's output</source>
        <translation>一个头在其层输出中的份额</translation>
    </message>
    <message>
        <source>how far the tokens of the last layer are from all being the same</source>
        <translation>最后一层的词元与全部相同之间的距离</translation>
    </message>
    <message>
        <source>scores have shape {scores_shape}, the weights {expected}</source>
        <translation>分数的形状为 {scores_shape}，权重为 {expected}</translation>
    </message>
    <message>
        <source>cross-attention has no diagonal</source>
        <translation>交叉注意力没有对角线</translation>
    </message>
    <message>
        <source>keys - queries is not q_offset ({q_offset})</source>
        <translation>键数 - 查询数不等于 q_offset（{q_offset}）</translation>
    </message>
    <message>
        <source>record(model, path, attributes={'q_offset': keys - queries})</source>
        <translation>record(model, path, attributes={'q_offset': keys - queries})</translation>
    </message>
    <message>
        <source>queries look at a fixed offset ({places})</source>
        <translation>查询关注固定的偏移（{places}）</translation>
    </message>
    <message>
        <source>each token attends only to itself ({mass:.0%} of the mass on the diagonal)</source>
        <translation>每个词元只关注自己（{mass:.0%} 的质量在对角线上）</translation>
    </message>
    <message>
        <source>rows are nearly one-hot (entropy {level:.1%} of what is possible)</source>
        <translation>各行接近 one-hot（熵为可能值的 {level:.1%}）</translation>
    </message>
    <message>
        <source>rows see different keys (a causal or banded mask)</source>
        <translation>各行可见的键不同（因果或带状掩码）</translation>
    </message>
    <message>
        <source>all queries share one distribution over the keys (variation {variation:.1%})</source>
        <translation>所有查询在键上共用一个分布（变化 {variation:.1%}）</translation>
    </message>
    <message>
        <source>||P - mean|| / ||P||</source>
        <translation>||P - mean|| / ||P||</translation>
    </message>
    <message>
        <source>record(model, path, scores=True)</source>
        <translation>record(model, path, scores=True)</translation>
    </message>
    <message>
        <source>{tokens} tokens, {samples}: fewer than {min_rows} rows with {min_keys} keys</source>
        <translation>{tokens} 个词元，{samples}：有 {min_keys} 个键的行少于 {min_rows} 行</translation>
    </message>
    <message>
        <source>one sample</source>
        <translation>一个样本</translation>
    </message>
    <message>
        <source>{count} samples</source>
        <translation>{count} 个样本</translation>
    </message>
    <message>
        <source>record(model, path, samples=16)</source>
        <translation>record(model, path, samples=16)</translation>
    </message>
    <message>
        <source>heads</source>
        <translation>个头</translation>
    </message>
    <message>
        <source>each key is repeated</source>
        <translation>每个键被逐个重复</translation>
    </message>
    <message>
        <source>the keys are repeated as a block</source>
        <translation>键被整块重复</translation>
    </message>
    <message>
        <source>{count} heads hold the same map</source>
        <translation>{count} 个头的注意力图相同</translation>
    </message>
    <message>
        <source>keys come in identical groups of {repeats}: {how} along the sequence axis</source>
        <translation>键以 {repeats} 个为一组完全相同：沿序列轴{how}</translation>
    </message>
    <message>
        <source>copies</source>
        <translation>个副本</translation>
    </message>
    <message>
        <source>: all of the layer's, as when the head average is broadcast</source>
        <translation>：该层全部的头都如此，与把各头均值广播后相同</translation>
    </message>
    <message>
        <source>of the scores are exactly zero at scattered places</source>
        <translation>的分数在散乱的位置上恰好为零</translation>
    </message>
    <message>
        <source>the {stream} stream runs in training mode with dropout {rate:g}</source>
        <translation>数据流 {stream} 以训练模式运行，dropout 为 {rate:g}</translation>
    </message>
    <message>
        <source>dropout</source>
        <translation>dropout</translation>
    </message>
    <message>
        <source>of the weights in a row are exactly equal at scattered places</source>
        <translation>的同行权重在散乱的位置上完全相等</translation>
    </message>
    <message>
        <source>token ids not recorded</source>
        <translation>未记录词元 id</translation>
    </message>
    <message>
        <source>with recorder.step(step, tokens=input_ids): ...</source>
        <translation>with recorder.step(step, tokens=input_ids): ...</translation>
    </message>
    <message>
        <source>token id</source>
        <translation>词元 id</translation>
    </message>
    <message>
        <source>not recorded: the live statistic input_nonfinite is absent</source>
        <translation>未记录：缺少实时统计量 input_nonfinite</translation>
    </message>
    <message>
        <source>record with attn_debugger.record, which counts it</source>
        <translation>请用 attn_debugger.record 记录，它会统计此项</translation>
    </message>
    <message>
        <source>the layer's input already holds NaN or infinite values</source>
        <translation>该层的输入已含有 NaN 或无穷值</translation>
    </message>
    <message>
        <source>values</source>
        <translation>个值</translation>
    </message>
    <message>
        <source>whether the model was in training mode is not recorded</source>
        <translation>未记录模型是否处于训练模式</translation>
    </message>
    <message>
        <source>record(model, path, attributes={'training': False})</source>
        <translation>record(model, path, attributes={'training': False})</translation>
    </message>
    <message>
        <source>{level:.0%} {unit_text}: dropout sits before the softmax</source>
        <translation>有 {level:.0%} {unit_text}：dropout 位于 softmax 之前</translation>
    </message>
    <message>
        <source>share of cells</source>
        <translation>单元格的份额</translation>
    </message>
    <message>
        <source>vocab_size is not recorded</source>
        <translation>未记录 vocab_size</translation>
    </message>
    <message>
        <source>record(model, path, attributes={'vocab_size': ...})</source>
        <translation>record(model, path, attributes={'vocab_size': ...})</translation>
    </message>
    <message>
        <source>token id {value} at position {position} is negative</source>
        <translation>位置 {position} 上的词元 id {value} 为负</translation>
    </message>
    <message>
        <source>token id {value} at position {position} is beyond the vocabulary of {size}</source>
        <translation>位置 {position} 上的词元 id {value} 超出大小为 {size} 的词表</translation>
    </message>
    <message>
        <source>the run has no val or probe stream</source>
        <translation>该运行没有 val 或 probe 数据流</translation>
    </message>
    <message>
        <source>`training` is declared for the whole run, train stream included</source>
        <translation>`training` 是为整个运行声明的，包括 train 数据流</translation>
    </message>
    <message>
        <source>scores not recorded and the weights are too coarse to tell</source>
        <translation>未记录分数，而权重又太粗，无法判断</translation>
    </message>
    <message>
        <source>, a side equals the batch size {batch}</source>
        <translation>，有一边等于批次大小 {batch}</translation>
    </message>
    <message>
        <source> (backend {backend})</source>
        <translation>（后端 {backend}）</translation>
    </message>
    <message>
        <source>the map is {queries} x {keys}, {expected}{swapped}</source>
        <translation>注意力图为 {queries} x {keys}，{expected}{swapped}</translation>
    </message>
    <message>
        <source>{n_heads} heads, declared {declared}</source>
        <translation>{n_heads} 个头，声明为 {declared} 个</translation>
    </message>
    <message>
        <source>how often the layer fired is not recorded</source>
        <translation>未记录该层触发的次数</translation>
    </message>
    <message>
        <source>record with attn_debugger.record, which counts captures</source>
        <translation>请用 attn_debugger.record 记录，它会统计捕获次数</translation>
    </message>
    <message>
        <source>neither seq_len nor n_heads is declared</source>
        <translation>seq_len 与 n_heads 都没有声明</translation>
    </message>
    <message>
        <source>record(model, path, attributes={'seq_len': ..., 'n_heads': ...})</source>
        <translation>record(model, path, attributes={'seq_len': ..., 'n_heads': ...})</translation>
    </message>
    <message>
        <source>declared seq_len {length}</source>
        <translation>声明的 seq_len 为 {length}</translation>
    </message>
    <message>
        <source>every query sees a single key, so its weight is 1 whatever q and k are</source>
        <translation>每个查询只能看到一个键，因此无论 q 与 k 如何，其权重都是 1</translation>
    </message>
    <message>
        <source>the layer was captured {captures} times in one step</source>
        <translation>该层在一步之内被捕获 {captures} 次</translation>
    </message>
    <message>
        <source>captures</source>
        <translation>次捕获</translation>
    </message>
    <message>
        <source>: {problem}</source>
        <translation>：{problem}</translation>
    </message>
    <message>
        <source>the maps of layers {first} to {last} are nearly the same</source>
        <translation>第 {first} 层至第 {last} 层的注意力图几乎相同</translation>
    </message>
    <message>
        <source>{share:.2%} of the mass of a row goes to {destination} on average</source>
        <translation>平均每行有 {share:.2%} 的质量落在{destination}上</translation>
    </message>
    <message>
        <source>padding keys</source>
        <translation>填充键</translation>
    </message>
    <message>
        <source>keys in the query's future</source>
        <translation>查询之后（未来）的键</translation>
    </message>
    <message>
        <source>other documents</source>
        <translation>其他文档</translation>
    </message>
    <message>
        <source>keys outside the window</source>
        <translation>窗口之外的键</translation>
    </message>
    <message>
        <source>keys the intended mask forbids</source>
        <translation>预期掩码禁止的键</translation>
    </message>
    <message>
        <source>up to {top:.2g} of a row's mass goes to {destination}</source>
        <translation>一行中至多有 {top:.2g} 的质量落在{destination}上</translation>
    </message>
    <message>
        <source>; it looks up to {furthest} positions ahead</source>
        <translation>；最远看到前方 {furthest} 个位置</translation>
    </message>
    <message>
        <source>; up to {distance} positions away, the window is {window}</source>
        <translation>；最远相距 {distance} 个位置，而窗口为 {window}</translation>
    </message>
    <message>
        <source>mass of a row</source>
        <translation>一行的质量</translation>
    </message>
    <message>
        <source>, all of them with the same weight: empty cache slots with a score of zero</source>
        <translation>，它们的权重全部相同：分数为零的空缓存槽</translation>
    </message>
    <message>
        <source>: the padding mask is the wrong way round</source>
        <translation>：填充掩码方向相反</translation>
    </message>
    <message>
        <source>there are {missing} more keys than q_offset accounts for, and no query looks farther ahead than that: cached keys that were not declared?</source>
        <translation>键比 q_offset 所说明的多 {missing} 个，而没有查询看得比这更远：是否有未声明的缓存键？</translation>
    </message>
    <message>
        <source>no padding information</source>
        <translation>没有填充信息</translation>
    </message>
    <message>
        <source>with recorder.step(step, attention_mask=mask): ...</source>
        <translation>with recorder.step(step, attention_mask=mask): ...</translation>
    </message>
    <message>
        <source>whether the layer is causal is not recorded</source>
        <translation>未记录该层是否为因果</translation>
    </message>
    <message>
        <source>record(model, path, attributes={'causal': True})</source>
        <translation>record(model, path, attributes={'causal': True})</translation>
    </message>
    <message>
        <source>no window is declared</source>
        <translation>没有声明窗口</translation>
    </message>
    <message>
        <source>record(model, path, attributes={'window': 512}) if the model has one</source>
        <translation>若模型有窗口：record(model, path, attributes={'window': 512})</translation>
    </message>
    <message>
        <source>no document ids</source>
        <translation>没有文档 id</translation>
    </message>
    <message>
        <source>store `documents` where sequences are packed</source>
        <translation>若序列经过打包，请存储 `documents`</translation>
    </message>
    <message>
        <source>the intended mask is not recorded</source>
        <translation>未记录预期的掩码</translation>
    </message>
    <message>
        <source>store layers/&lt;i&gt;/mask as the configuration means it</source>
        <translation>请按配置的本意存储 layers/&lt;i&gt;/mask</translation>
    </message>
    <message>
        <source>the weights are no attention weights</source>
        <translation>这些权重不是注意力权重</translation>
    </message>
    <message>
        <source>: the mask is off by one</source>
        <translation>：掩码差一位</translation>
    </message>
    <message>
        <source>: it is off by one</source>
        <translation>：差一位</translation>
    </message>
    <message>
        <source>the same in every head while the others are finite, so the applied mask left them no key</source>
        <translation>在每个头中都相同，而其余的行都是有限值，可见所用的掩码没有给它们留下任何键</translation>
    </message>
    <message>
        <source>the mask leaves them no key</source>
        <translation>掩码没有给它们留下任何键</translation>
    </message>
    <message>
        <source>{count} query rows are NaN: {why}</source>
        <translation>{count} 个查询行为 NaN：{why}</translation>
    </message>
    <message>
        <source>up to {rows} of {total} query rows hold NaN or infinite weights</source>
        <translation>{total} 个查询行中至多有 {rows} 行含有 NaN 或无穷的权重</translation>
    </message>
    <message>
        <source>scores of {rows} rows overflow to infinity inside the mask</source>
        <translation>{rows} 行的分数在掩码允许的范围内溢出为无穷</translation>
    </message>
    <message>
        <source>{n} queries may see no key; their rows hold zeros</source>
        <translation>{n} 个查询看不到任何键；其各行为零</translation>
    </message>
    <message>
        <source>{n} queries may see no key; their rows hold what a finite mask fill leaves, which means nothing</source>
        <translation>{n} 个查询看不到任何键；其各行是有限的掩码填充值留下的结果，没有意义</translation>
    </message>
    <message>
        <source> (computed in {dtype})</source>
        <translation>（以 {dtype} 计算）</translation>
    </message>
    <message>
        <source>one activation reaches {largest:.3g}, {times:.0f} times the typical one</source>
        <translation>一个激活值达到 {largest:.3g}，为典型值的 {times:.0f} 倍</translation>
    </message>
    <message>
        <source>|activation|</source>
        <translation>|激活值|</translation>
    </message>
    <message>
        <source>the variance of the layer's output is {variance:.3g}, {times:.0f} times that of earlier layers and {past:.1f} times the largest of its own past</source>
        <translation>该层输出的方差为 {variance:.3g}，为较低各层的 {times:.0f} 倍，为其自身以往最大值的 {past:.1f} 倍</translation>
    </message>
    <message>
        <source>variance</source>
        <translation>方差</translation>
    </message>
    <message>
        <source>output statistics not recorded</source>
        <translation>未记录输出的统计量</translation>
    </message>
    <message>
        <source>record with attn_debugger.record, which stores them</source>
        <translation>请用 attn_debugger.record 记录，它会存储这些统计量</translation>
    </message>
    <message>
        <source>the layer's output is not finite although its weights are</source>
        <translation>该层的输出不是有限值，而其权重是</translation>
    </message>
    <message>
        <source>equal tokens get exactly the same weight wherever they stand: no position reaches the attention</source>
        <translation>相同的词元无论在何处都得到完全相同的权重：没有任何位置信息进入注意力</translation>
    </message>
    <message>
        <source>repeated tokens</source>
        <translation>重复的词元</translation>
    </message>
    <message>
        <source>the probe has {n_keys} tokens, positions alias beyond 256</source>
        <translation>探针批次有 {n_keys} 个词元，而位置在 256 之后才混叠</translation>
    </message>
    <message>
        <source>use a probe of at least 512 tokens</source>
        <translation>请使用至少 512 个词元的探针批次</translation>
    </message>
    <message>
        <source>beyond position 256, {share:.0%} of neighbouring keys get exactly the same weight: positions are rounded</source>
        <translation>在位置 256 之后，{share:.0%} 的相邻键权重完全相同：位置被舍入</translation>
    </message>
    <message>
        <source>share of neighbours</source>
        <translation>相邻键的份额</translation>
    </message>
    <message>
        <source>needs a probe of one repeated token, or token ids without a causal mask</source>
        <translation>需要由同一个词元重复而成的探针批次，或没有因果掩码的词元 id</translation>
    </message>
    <message>
        <source>record a probe of 512 equal tokens with attributes={'probe': 'repeat_token'}</source>
        <translation>请以 attributes={'probe': 'repeat_token'} 记录 512 个相同词元的探针批次</translation>
    </message>
    <message>
        <source>fewer than 8 tokens of the sample are repeated</source>
        <translation>该样本中重复的词元少于 8 个</translation>
    </message>
    <message>
        <source>no head says enough about its keys</source>
        <translation>没有头能充分说明其键</translation>
    </message>
    <message>
        <source>no ALiBi slopes are declared</source>
        <translation>没有声明 ALiBi 斜率</translation>
    </message>
    <message>
        <source>{n_slopes} slopes are declared for {n_heads} heads</source>
        <translation>为 {n_heads} 个头声明了 {n_slopes} 个斜率</translation>
    </message>
    <message>
        <source>only step 0 shows the bias before content scores have grown</source>
        <translation>只有第 0 步在内容分数增长之前显示偏置</translation>
    </message>
    <message>
        <source>record step 0 too</source>
        <translation>也请记录第 0 步</translation>
    </message>
    <message>
        <source>head {worst} decays with slope {seen:.4g}, declared is {declared:.4g}</source>
        <translation>头 {worst} 以斜率 {seen:.4g} 衰减，声明为 {declared:.4g}</translation>
    </message>
    <message>
        <source>relative deviation of the slope</source>
        <translation>斜率的相对偏差</translation>
    </message>
    <message>
        <source>each head is cut at a length of its own ({lengths} keys): the padding of the batch lies on the head axis</source>
        <translation>每个头在各自的长度处被截断（{lengths} 个键）：批次的填充落在了头轴上</translation>
    </message>
    <message>
        <source>different lengths</source>
        <translation>不同的长度</translation>
    </message>
    <message>
        <source>the scores hold more than q.k (a position term, or a factor for each cell or head), so q and k alone do not give them</source>
        <translation>分数中除 q.k 之外还有其他成分（位置项，或每个单元格、每个头的因子），因此仅凭 q 与 k 无法得出</translation>
    </message>
    <message>
        <source>record(model, path, scores=True, qk=True)</source>
        <translation>record(model, path, scores=True, qk=True)</translation>
    </message>
    <message>
        <source>q has shape {q_shape} and k {k_shape}: their widths differ</source>
        <translation>q 的形状为 {q_shape}，k 为 {k_shape}：宽度不同</translation>
    </message>
    <message>
        <source>{queries} query heads cannot share {keys} key heads</source>
        <translation>{queries} 个查询头无法共用 {keys} 个键头</translation>
    </message>
    <message>
        <source>q has {queries} heads, the weights {n_heads}</source>
        <translation>q 有 {queries} 个头，权重有 {n_heads} 个</translation>
    </message>
    <message>
        <source>q and k have lengths {q_length} and {k_length}, the map is {n_queries} x {n_keys}</source>
        <translation>q 与 k 的长度为 {q_length} 与 {k_length}，而注意力图为 {n_queries} x {n_keys}</translation>
    </message>
    <message>
        <source>scores / expected</source>
        <translation>分数 / 预期</translation>
    </message>
    <message>
        <source>the sign is wrong</source>
        <translation>符号错误</translation>
    </message>
    <message>
        <source>the division by sqrt(d_head) is missing</source>
        <translation>缺少除以 sqrt(d_head)</translation>
    </message>
    <message>
        <source>the scale is applied twice</source>
        <translation>scale 被应用了两次</translation>
    </message>
    <message>
        <source>divided by sqrt(d_model) instead of sqrt(d_head)</source>
        <translation>除以了 sqrt(d_model) 而不是 sqrt(d_head)</translation>
    </message>
    <message>
        <source>multiplied by sqrt(d_head) instead of divided</source>
        <translation>乘以了 sqrt(d_head) 而不是除以</translation>
    </message>
    <message>
        <source>q and k not recorded</source>
        <translation>未记录 q 与 k</translation>
    </message>
    <message>
        <source>scores are {factor:.3g} times what the declared scale gives</source>
        <translation>分数是所声明 scale 下应有值的 {factor:.3g} 倍</translation>
    </message>
    <message>
        <source>: {name}</source>
        <translation>：{name}</translation>
    </message>
    <message>
        <source>the recorded scores are not q.k of the declared layout (correlation {correlation:.2f})</source>
        <translation>记录的分数不是所声明布局的 q.k（相关系数 {correlation:.2f}）</translation>
    </message>
    <message>
        <source>, but they are with key heads tiled instead of repeated</source>
        <translation>，但若键头是平铺（tile）而非逐个重复，则相符</translation>
    </message>
    <message>
        <source>: a factor is applied after the softmax</source>
        <translation>：softmax 之后又乘了一个因子</translation>
    </message>
    <message>
        <source>{share:.1%} of the allowed cells are exactly zero and rows sum to more than 1: the weights were taken after dropout</source>
        <translation>{share:.1%} 的允许单元格恰好为零，且行和大于 1：权重取自 dropout 之后</translation>
    </message>
    <message>
        <source>every row sums to the same {level:.4g}{factor}</source>
        <translation>每行的和都是 {level:.4g}{factor}</translation>
    </message>
    <message>
        <source>rows sum to less than 1, down to {low:.3g}</source>
        <translation>行和小于 1，最低为 {low:.3g}</translation>
    </message>
    <message>
        <source>rows differ from a sum of 1 by up to {worst:.3g}</source>
        <translation>行和与 1 最多相差 {worst:.3g}</translation>
    </message>
    <message>
        <source>|row sum - 1|</source>
        <translation>|行和 - 1|</translation>
    </message>
    <message>
        <source>every weight is 1: the softmax runs over an axis of length one</source>
        <translation>每个权重都是 1：softmax 作用在长度为一的轴上</translation>
    </message>
    <message>
        <source>columns sum to 1 and rows do not: the softmax runs over the queries</source>
        <translation>列的和为 1 而行的和不是：softmax 作用在查询上</translation>
    </message>
    <message>
        <source>the heads of each cell sum to 1: the softmax runs over the heads</source>
        <translation>每个单元格各头之和为 1：softmax 作用在头上</translation>
    </message>
    <message>
        <source>1/sqrt(d_head) = 1/sqrt({d_head})</source>
        <translation>1/sqrt(d_head) = 1/sqrt({d_head})</translation>
    </message>
    <message>
        <source>1/n_heads = 1/{declared}</source>
        <translation>1/n_heads = 1/{declared}</translation>
    </message>
    <message>
        <source>the declared scale</source>
        <translation>所声明的 scale</translation>
    </message>
    <message>
        <source>, which is {name}: a factor is applied after the softmax</source>
        <translation>，即 {name}：softmax 之后又乘了一个因子</translation>
    </message>
    <message>
        <source>weights go down to {lowest:.3g}: this is no output of a softmax</source>
        <translation>权重低至 {lowest:.3g}：这不是 softmax 的输出</translation>
    </message>
    <message>
        <source>the whole map sums to 1: the softmax runs over queries and keys together</source>
        <translation>整张图的和为 1：softmax 同时作用在查询与键上</translation>
    </message>
    <message>
        <source>weights go up to {top:.3g}: logits or unnormalised values were stored</source>
        <translation>权重高达 {top:.3g}：存储的是 logits 或未归一化的值</translation>
    </message>
    <message>
        <source>dropout {dropout:g} is declared for the stored weights</source>
        <translation>所存权重声明了 dropout {dropout:g}</translation>
    </message>
    <message>
        <source>record the weights before dropout</source>
        <translation>请记录 dropout 之前的权重</translation>
    </message>
    <message>
        <source>|score| reaches {value:.4g}</source>
        <translation>|score| 达到 {value:.4g}</translation>
    </message>
    <message>
        <source>cells</source>
        <translation>个单元格</translation>
    </message>
    <message>
        <source>, within a factor 4 of what float16 can hold before scaling</source>
        <translation>，与 float16 在缩放之前所能容纳的上限相差不到 4 倍</translation>
    </message>
    <message>
        <source>scores overflow to infinity inside the mask</source>
        <translation>分数在掩码允许的范围内溢出为无穷</translation>
    </message>
    <message>
        <source>no soft-cap is declared</source>
        <translation>没有声明软上限</translation>
    </message>
    <message>
        <source>record(model, path, attributes={'softcap': 50.0}) if the model has one</source>
        <translation>若模型有软上限：record(model, path, attributes={'softcap': 50.0})</translation>
    </message>
    <message>
        <source>the recorded scores are those before the soft-cap</source>
        <translation>记录的分数是软上限之前的</translation>
    </message>
    <message>
        <source>set score_stage='post_cap' and record the scores after it</source>
        <translation>请设置 score_stage='post_cap'，并记录其后的分数</translation>
    </message>
    <message>
        <source>, beyond the 100 at which QK-Clip steps in</source>
        <translation>，超过 QK-Clip 开始介入的 100</translation>
    </message>
    <message>
        <source>the declared soft-cap is {cap:g}</source>
        <translation>声明的软上限为 {cap:g}</translation>
    </message>
    <message>
        <source>scores reach {value:.4g}, beyond the declared soft-cap of {cap:g}: the backend ignores it</source>
        <translation>分数达到 {value:.4g}，超出所声明的软上限 {cap:g}：后端忽略了它</translation>
    </message>
    <message>
        <source>{share:.0%} of the rows run into the soft-cap</source>
        <translation>{share:.0%} 的行触及软上限</translation>
    </message>
    <message>
        <source>share of rows</source>
        <translation>行的份额</translation>
    </message>
    <message>
        <source>the scores of a row deviate by {level:.1f}, where fresh weights give 0.1 to 1: the division by sqrt(d_head) may be missing</source>
        <translation>一行分数的标准差为 {level:.1f}，而新初始化的参数权重给出 0.1 至 1：可能缺少除以 sqrt(d_head)</translation>
    </message>
    <message>
        <source>standard deviation of the scores of a row</source>
        <translation>一行分数的标准差</translation>
    </message>
    <message>
        <source>in {share:.0%} of the rows several keys share the largest score: {dtype} cannot tell scores of this size apart</source>
        <translation>{share:.0%} 的行中有多个键共有最大分数：{dtype} 无法区分这么大的分数</translation>
    </message>
    <message>
        <source>record(model, path, attributes={'compute_dtype': 'bfloat16'})</source>
        <translation>record(model, path, attributes={'compute_dtype': 'bfloat16'})</translation>
    </message>
    <message>
        <source>key {key} receives {mass:.0%} of the attention of other queries</source>
        <translation>键 {key} 得到其他查询 {mass:.0%} 的注意力</translation>
    </message>
    <message>
        <source>key {key} receives {mass:.0%} of the attention of every query</source>
        <translation>键 {key} 得到每个查询 {mass:.0%} 的注意力</translation>
    </message>
    <message>
        <source>no special keys are declared and no token has a known special name</source>
        <translation>没有声明特殊的键，也没有词元带有已知的特殊名称</translation>
    </message>
    <message>
        <source>record(model, path, attributes={'special_keys': [0]})</source>
        <translation>record(model, path, attributes={'special_keys': [0]})</translation>
    </message>
    <message>
        <source>{mass:.0%} of the attention rests on special tokens</source>
        <translation>{mass:.0%} 的注意力落在特殊词元上</translation>
    </message>
    <message>
        <source>the causal mask is aligned to the top left although keys are cached</source>
        <translation>因果掩码对齐到左上角，尽管有缓存的键</translation>
    </message>
    <message>
        <source>no query sees itself, the mask leaves out the diagonal</source>
        <translation>没有查询能看到自己，掩码漏掉了对角线</translation>
    </message>
    <message>
        <source>nothing beyond {distance} positions back is seen</source>
        <translation>看不到向后超过 {distance} 个位置的内容</translation>
    </message>
    <message>
        <source>share of allowed cells</source>
        <translation>允许单元格的份额</translation>
    </message>
    <message>
        <source>weights stored as uint8 round small ones to zero</source>
        <translation>以 uint8 存储的权重把小值舍入为零</translation>
    </message>
    <message>
        <source>record(model, path, dtype='float16')</source>
        <translation>record(model, path, dtype='float16')</translation>
    </message>
    <message>
        <source>dropout or another fault makes zeros of its own</source>
        <translation>dropout 或其他故障本身会产生零</translation>
    </message>
    <message>
        <source>scores beyond {limit:g} underflow to honest zeros</source>
        <translation>超过 {limit:g} 的分数会正常地下溢为零</translation>
    </message>
    <message>
        <source>{share:.0%} of the keys that may be seen get exactly zero in every head</source>
        <translation>{share:.0%} 的可见键在每个头中都恰好为零</translation>
    </message>
    <message>
        <source>the tokens that enter the layer are nearly the same: they differ by {spread:.1%} of their length, and so they do from layer {first} on</source>
        <translation>进入该层的词元几乎相同：彼此相差其长度的 {spread:.1%}，从第 {first} 层起都如此</translation>
    </message>
    <message>
        <source>||X - mean|| / ||X||</source>
        <translation>||X - mean|| / ||X||</translation>
    </message>
    <message>
        <source>judged at layers of self-attention only</source>
        <translation>只在自注意力层评估</translation>
    </message>
    <message>
        <source>how alike the tokens are that enter the layer was not recorded</source>
        <translation>未记录进入该层的词元有多相似</translation>
    </message>
    <message>
        <source>record with attn_debugger.record, which measures it from 8 tokens on</source>
        <translation>请用 attn_debugger.record 记录，它从 8 个词元起测量此项</translation>
    </message>
    <message>
        <source>nearly all tokens are the same one</source>
        <translation>几乎所有的词元都是同一个</translation>
    </message>
    <message>
        <source>Capture, inputs and use</source>
        <translation>捕获、输入与使用</translation>
    </message>
    <message>
        <source>Validity</source>
        <translation>有效性</translation>
    </message>
    <message>
        <source>Distribution, dynamics and outputs</source>
        <translation>分布、变化与输出</translation>
    </message>
    <message>
        <source>Nothing was captured</source>
        <translation>没有捕获到任何内容</translation>
    </message>
    <message>
        <source>Frames or whole layers are empty; the tiles are grey, not black.</source>
        <translation>有些帧或整层是空的；图块为灰色而不是黑色。</translation>
    </message>
    <message>
        <source>Fused kernels never build the weights, and the fast path of an encoder in eval mode skips the modules that a hook sits on. It says nothing about the model.</source>
        <translation>融合的内核从不构造权重，而编码器在 eval 模式下的快速路径会跳过挂有钩子的模块。这并不说明模型有问题。</translation>
    </message>
    <message>
        <source>Look at the backend in the run information, and whether the gaps fall on the evaluation steps only.</source>
        <translation>请查看运行信息中的后端，以及空缺是否只出现在评估的步上。</translation>
    </message>
    <message>
        <source>record with attn_debugger.record, which recomputes the weights beside the kernel</source>
        <translation>请用 attn_debugger.record 记录，它会在内核旁重算权重</translation>
    </message>
    <message>
        <source>keep the model in training mode for recorded steps, or call torch.backends.mha.set_fastpath_enabled(False)</source>
        <translation>在记录的步保持训练模式，或调用 torch.backends.mha.set_fastpath_enabled(False)</translation>
    </message>
    <message>
        <source>register an unknown attention function with record.register</source>
        <translation>用 record.register 登记未知的注意力函数</translation>
    </message>
    <message>
        <source>Any empty frame of a layer that should be full is a warning.</source>
        <translation>本应完整的层出现任何空帧即为警告。</translation>
    </message>
    <message>
        <source>pytorch issues 109528, 119811, 128413, 132700; flash-attention issue 159</source>
        <translation>pytorch issue 109528、119811、128413、132700；flash-attention issue 159</translation>
    </message>
    <message>
        <source>The map has the wrong sides</source>
        <translation>注意力图的边长不对</translation>
    </message>
    <message>
        <source>The map is not seq_len wide, or the number of heads is not that of the model.</source>
        <translation>注意力图的宽度不是 seq_len，或头数与模型不符。</translation>
    </message>
    <message>
        <source>Batch and sequence are swapped (batch_first), or heads were averaged or split wrongly. If d_model is not divisible by the number of heads, reshape fails with `mat1 and mat2 shapes cannot be multiplied`.</source>
        <translation>批次与序列对调（batch_first），或头被错误地平均或拆分。若 d_model 不能被头数整除，reshape 会失败并报 `mat1 and mat2 shapes cannot be multiplied`。</translation>
    </message>
    <message>
        <source>Print the shapes of q, k and v just before the scores are computed.</source>
        <translation>在计算分数之前打印 q、k 与 v 的形状。</translation>
    </message>
    <message>
        <source>set batch_first=True, or transpose to [batch, heads, query, key]</source>
        <translation>设置 batch_first=True，或转置为 [batch, heads, query, key]</translation>
    </message>
    <message>
        <source>make d_model divisible by the number of heads</source>
        <translation>使 d_model 能被头数整除</translation>
    </message>
    <message>
        <source>ask for average_attn_weights=False</source>
        <translation>请求 average_attn_weights=False</translation>
    </message>
    <message>
        <source>Critical: a side differs from the declared seq_len (one query is fine), or the head count from n_heads.</source>
        <translation>严重：有一边与声明的 seq_len 不同（只有一个查询除外），或头数与 n_heads 不同。</translation>
    </message>
    <message>
        <source>common practice in debugging Transformers</source>
        <translation>调试 Transformer 的常见做法</translation>
    </message>
    <message>
        <source>Captured twice in one step</source>
        <translation>在一步之内捕获两次</translation>
    </message>
    <message>
        <source>The archive counts more than one capture of the layer in a frame.</source>
        <translation>存档在一帧中对该层计有多于一次的捕获。</translation>
    </message>
    <message>
        <source>Gradient checkpointing runs the forward again during backward, or a module is shared by two places of the model.</source>
        <translation>梯度检查点在反向传播时再次运行前向传播，或一个模块在模型的两处共用。</translation>
    </message>
    <message>
        <source>Switch gradient checkpointing off and look whether the count falls to 1.</source>
        <translation>关闭梯度检查点，看次数是否降为 1。</translation>
    </message>
    <message>
        <source>record outside the recomputation; the recorder keeps the first capture</source>
        <translation>在重算之外记录；记录器保留第一次捕获</translation>
    </message>
    <message>
        <source>Notice when a layer fired more than once in a frame.</source>
        <translation>一层在一帧中触发多于一次时为提示。</translation>
    </message>
    <message>
        <source>behaviour of torch.utils.checkpoint</source>
        <translation>torch.utils.checkpoint 的行为</translation>
    </message>
    <message>
        <source>Attention over a single key</source>
        <translation>只对一个键的注意力</translation>
    </message>
    <message>
        <source>Every weight is exactly 1.</source>
        <translation>每个权重都恰好为 1。</translation>
    </message>
    <message>
        <source>The softmax runs over one key, so queries and keys have no effect and never get a gradient. It is a matter of structure, not a collapse.</source>
        <translation>softmax 只作用在一个键上，因此查询与键不起作用，也永远得不到梯度。这是结构问题，而不是坍缩。</translation>
    </message>
    <message>
        <source>Print the sequence length that reaches the layer.</source>
        <translation>打印到达该层的序列长度。</translation>
    </message>
    <message>
        <source>pass the sequence, not its pooled vector</source>
        <translation>传入序列，而不是其池化后的向量</translation>
    </message>
    <message>
        <source>remove the layer if that is meant</source>
        <translation>若确是本意，请去掉该层</translation>
    </message>
    <message>
        <source>Notice when no query may see more than one key.</source>
        <translation>没有任何查询能看到多于一个键时为提示。</translation>
    </message>
    <message>
        <source>CameraHMR issue 26</source>
        <translation>CameraHMR issue 26</translation>
    </message>
    <message>
        <source>Token ids outside the vocabulary</source>
        <translation>词元 id 超出词表</translation>
    </message>
    <message>
        <source>A negative id, or one beyond the vocabulary, among the real tokens.</source>
        <translation>真实词元中有负的 id 或超出词表的 id。</translation>
    </message>
    <message>
        <source>Tokeniser and model do not belong together, special tokens were added without resizing the embedding, or labels with -100 were passed as inputs. On a GPU it ends in a device-side assert, elsewhere in whatever memory holds.</source>
        <translation>分词器与模型不配套，添加了特殊词元却没有扩大嵌入，或把带有 -100 的标签当作输入。在 GPU 上以 device-side assert 告终，在别处则取到内存中的任意内容。</translation>
    </message>
    <message>
        <source>Print min() and max() of the ids against the embedding's number of rows.</source>
        <translation>打印 id 的 min() 与 max()，与嵌入的行数对照。</translation>
    </message>
    <message>
        <source>mask padding in the labels only, never in the inputs</source>
        <translation>只在标签中屏蔽填充，绝不在输入中</translation>
    </message>
    <message>
        <source>resize the embedding to the tokeniser's length</source>
        <translation>把嵌入扩大到分词器的长度</translation>
    </message>
    <message>
        <source>Critical: id &lt; 0 or id &gt;= vocab_size.</source>
        <translation>严重：id &lt; 0 或 id &gt;= vocab_size。</translation>
    </message>
    <message>
        <source>NaN enters the layer</source>
        <translation>NaN 进入该层</translation>
    </message>
    <message>
        <source>The layer's input already holds NaN or infinite values.</source>
        <translation>该层的输入已含有 NaN 或无穷值。</translation>
    </message>
    <message>
        <source>Attention is not the origin: what comes before the layer is. Everything above follows from it.</source>
        <translation>注意力不是源头：源头在该层之前。其上的一切都由此而来。</translation>
    </message>
    <message>
        <source>Check the output of the last finite module below, and the parameters after the last optimiser step.</source>
        <translation>检查其下最后一个有限模块的输出，以及上一次优化步之后的参数。</translation>
    </message>
    <message>
        <source>skip steps whose gradients are not finite, clip the gradient norm</source>
        <translation>跳过梯度不是有限值的步，裁剪梯度范数</translation>
    </message>
    <message>
        <source>lower the learning rate, add warm-up</source>
        <translation>降低学习率，加入预热</translation>
    </message>
    <message>
        <source>check the batch of that step</source>
        <translation>检查该步的批次</translation>
    </message>
    <message>
        <source>Critical: any non-finite value.</source>
        <translation>严重：任何非有限值。</translation>
    </message>
    <message>
        <source>The forward pass raised</source>
        <translation>前向传播抛出异常</translation>
    </message>
    <message>
        <source>The archive ends with a crash record: module, message, shapes and dtypes.</source>
        <translation>存档以一条崩溃记录结束：模块、信息、形状与数据类型。</translation>
    </message>
    <message>
        <source>The error itself, for example `expected Float but found Half`, says which tensor has the wrong dtype or shape; the record says in which module.</source>
        <translation>错误本身，例如 `expected Float but found Half`，说明哪个张量的数据类型或形状不对；记录则说明在哪个模块中。</translation>
    </message>
    <message>
        <source>Compare shapes and dtypes in the crash record with the frame before.</source>
        <translation>把崩溃记录中的形状与数据类型同前一帧对照。</translation>
    </message>
    <message>
        <source>run the forward inside autocast, or cast inputs and masks to the weights' dtype</source>
        <translation>在 autocast 中运行前向传播，或把输入与掩码转换为权重的数据类型</translation>
    </message>
    <message>
        <source>print shapes first; debug with one head, one sample, a short sequence</source>
        <translation>先打印形状；用一个头、一个样本、短序列来调试</translation>
    </message>
    <message>
        <source>Critical: the forward raised.</source>
        <translation>严重：前向传播抛出异常。</translation>
    </message>
    <message>
        <source>Evaluated with dropout on</source>
        <translation>评估时 dropout 未关闭</translation>
    </message>
    <message>
        <source>Frames of the validation or probe stream come from training mode.</source>
        <translation>验证或探针数据流的帧来自训练模式。</translation>
    </message>
    <message>
        <source>model.eval() was forgotten: dropout is still active, results change from call to call, and curves of the probe show noise that is not there.</source>
        <translation>忘记了 model.eval()：dropout 仍在起作用，每次调用结果都不同，探针的曲线显示出并不存在的噪声。</translation>
    </message>
    <message>
        <source>Call the model twice on one batch: with dropout off the outputs are equal.</source>
        <translation>对同一批次调用模型两次：关闭 dropout 时输出相等。</translation>
    </message>
    <message>
        <source>call model.eval() around evaluation and model.train() after it</source>
        <translation>在评估前调用 model.eval()，之后调用 model.train()</translation>
    </message>
    <message>
        <source>Warning: training mode with dropout above 0 in a val or probe stream.</source>
        <translation>警告：val 或 probe 数据流处于训练模式，且 dropout 大于 0。</translation>
    </message>
    <message>
        <source>No learning-rate warm-up</source>
        <translation>没有学习率预热</translation>
    </message>
    <message>
        <source>The learning rate is at its maximum from the first step.</source>
        <translation>学习率从第一步起就处于最大值。</translation>
    </message>
    <message>
        <source>A label, used as evidence for other flags: the first updates of Adam are its largest, and attention logits grow fastest then.</source>
        <translation>一项标注，作为其他告警的证据：Adam 最初的几次更新最大，注意力的 logits 也在那时增长最快。</translation>
    </message>
    <message>
        <source>Plot lr over steps.</source>
        <translation>把 lr 随步画出。</translation>
    </message>
    <message>
        <source>warm up over the first 1 to 5 % of the steps</source>
        <translation>在最初 1 至 5 % 的步中预热</translation>
    </message>
    <message>
        <source>Label: lr of the first step equals the largest.</source>
        <translation>标注：第一步的 lr 等于最大值。</translation>
    </message>
    <message>
        <source>The loss leaves its trend</source>
        <translation>损失偏离其趋势</translation>
    </message>
    <message>
        <source>A spike, a rise or NaN in the loss curve.</source>
        <translation>损失曲线中的尖峰、上升或 NaN。</translation>
    </message>
    <message>
        <source>A label that other signals are held against: what came before it is a precursor, what came after it a consequence.</source>
        <translation>其他信号以此项标注为参照：在它之前的是先兆，在它之后的是后果。</translation>
    </message>
    <message>
        <source>Zoom into the loss curve; look at the batch of that step.</source>
        <translation>放大损失曲线；查看该步的批次。</translation>
    </message>
    <message>
        <source>clip the gradient norm (1.0)</source>
        <translation>裁剪梯度范数（1.0）</translation>
    </message>
    <message>
        <source>lower the rate, add warm-up</source>
        <translation>降低学习率，加入预热</translation>
    </message>
    <message>
        <source>skip the batch</source>
        <translation>跳过该批次</translation>
    </message>
    <message>
        <source>Label: above trend by max(7 robust deviations, 15 %).</source>
        <translation>标注：高于趋势 max(7 个稳健偏差, 15 %)。</translation>
    </message>
    <message>
        <source>OLMo 2: seven deviations within 1,000 steps</source>
        <translation>OLMo 2：1,000 步之内七个偏差</translation>
    </message>
    <message>
        <source>The gradient norm leaves its trend</source>
        <translation>梯度范数偏离其趋势</translation>
    </message>
    <message>
        <source>A spike or NaN in the gradient norm.</source>
        <translation>梯度范数中的尖峰或 NaN。</translation>
    </message>
    <message>
        <source>A label; gradient spikes come before loss spikes.</source>
        <translation>一项标注；梯度的尖峰先于损失的尖峰。</translation>
    </message>
    <message>
        <source>Look at the gradient norm by layer.</source>
        <translation>按层查看梯度范数。</translation>
    </message>
    <message>
        <source>Label: above trend by max(7 robust deviations, 200 %).</source>
        <translation>标注：高于趋势 max(7 个稳健偏差, 200 %)。</translation>
    </message>
    <message>
        <source>OLMo 2 report</source>
        <translation>OLMo 2 报告</translation>
    </message>
    <message>
        <source>a fused kernel (flash, SDPA) that never returns weights</source>
        <translation>融合的内核（flash、SDPA）从不返回权重</translation>
    </message>
    <message>
        <source>the fast path of nn.TransformerEncoder in eval mode</source>
        <translation>nn.TransformerEncoder 在 eval 模式下的快速路径</translation>
    </message>
    <message>
        <source>an attention class the recorder does not know</source>
        <translation>记录器不认识的注意力类</translation>
    </message>
    <message>
        <source>see the run's events</source>
        <translation>请看该运行的事件</translation>
    </message>
    <message>
        <source>batch and sequence axes are swapped (batch_first)</source>
        <translation>批次轴与序列轴对调（batch_first）</translation>
    </message>
    <message>
        <source>heads were averaged before they were stored</source>
        <translation>各头在存储之前已被平均</translation>
    </message>
    <message>
        <source>the declared seq_len or n_heads is not the one used</source>
        <translation>声明的 seq_len 或 n_heads 并非实际使用的值</translation>
    </message>
    <message>
        <source>print the shapes</source>
        <translation>请打印形状</translation>
    </message>
    <message>
        <source>gradient checkpointing runs the forward a second time</source>
        <translation>梯度检查点把前向传播运行了第二次</translation>
    </message>
    <message>
        <source>one module is used at several places (weight sharing)</source>
        <translation>一个模块用在多处（权重共享）</translation>
    </message>
    <message>
        <source>the sequence has length one (a vector passed as a sequence)</source>
        <translation>序列长度为一（把向量当作序列传入）</translation>
    </message>
    <message>
        <source>a mask leaves every query a single key</source>
        <translation>掩码只给每个查询留下一个键</translation>
    </message>
    <message>
        <source>the label fill -100 or -1 was used as an input</source>
        <translation>把标签的填充值 -100 或 -1 用作了输入</translation>
    </message>
    <message>
        <source>tokens were added without resize_token_embeddings</source>
        <translation>添加了词元而没有调用 resize_token_embeddings</translation>
    </message>
    <message>
        <source>the parameters became NaN in a bad update</source>
        <translation>参数在一次坏的更新中变为 NaN</translation>
    </message>
    <message>
        <source>a lower layer's values overflow</source>
        <translation>更低一层的值溢出</translation>
    </message>
    <message>
        <source>the data hold NaN or infinity</source>
        <translation>数据含有 NaN 或无穷</translation>
    </message>
    <message>
        <source>mixed precision: one tensor stayed in another dtype</source>
        <translation>混合精度：有一个张量仍是另一种数据类型</translation>
    </message>
    <message>
        <source>shapes do not fit: d_model and heads, or a batch of another length</source>
        <translation>形状不符：d_model 与头数，或长度不同的批次</translation>
    </message>
    <message>
        <source>an index is outside the embedding</source>
        <translation>有索引超出嵌入</translation>
    </message>
    <message>
        <source>model.eval() was not called before evaluation</source>
        <translation>评估之前没有调用 model.eval()</translation>
    </message>
    <message>
        <source>the schedule has no warm-up phase</source>
        <translation>学习率调度没有预热阶段</translation>
    </message>
    <message>
        <source>no learning-rate warm-up, perhaps too high a rate</source>
        <translation>没有学习率预热，或学习率过高</translation>
    </message>
    <message>
        <source>a bad batch</source>
        <translation>一个坏的批次</translation>
    </message>
    <message>
        <source>rerun the step: recorder.rerun()</source>
        <translation>请重新运行该步：recorder.rerun()</translation>
    </message>
    <message>
        <source>growing attention logits</source>
        <translation>注意力的 logits 不断增长</translation>
    </message>
    <message>
        <source>Attention to padding</source>
        <translation>关注到填充</translation>
    </message>
    <message>
        <source>The columns of padding keys are not dark.</source>
        <translation>填充键所在的列并不是暗的。</translation>
    </message>
    <message>
        <source>The padding mask is missing, inverted, on the wrong axis, or its fill is too small (-1e-9 for -1e9). Accuracy often looks normal; short sequences suffer.</source>
        <translation>填充掩码缺失、方向相反、作用在错误的轴上，或填入的值太小（-1e-9 而不是 -1e9）。准确率看起来往往正常；短序列受损。</translation>
    </message>
    <message>
        <source>Encode a sentence alone and padded: the outputs must be equal.</source>
        <translation>分别单独编码与填充后编码一个句子：输出必须相等。</translation>
    </message>
    <message>
        <source>fill with -inf (or finfo.min) where the key is padding, before the softmax</source>
        <translation>在 softmax 之前，把填充的键填为 -inf（或 finfo.min）</translation>
    </message>
    <message>
        <source>check the convention: PyTorch's key_padding_mask is True = ignore</source>
        <translation>检查约定：PyTorch 的 key_padding_mask 以 True 表示忽略</translation>
    </message>
    <message>
        <source>Warning: a row with more than 1e-4 (half precision 1e-3) on padding; critical: 5 % on average; above 95 % the mask is inverted.</source>
        <translation>警告：一行在填充上多于 1e-4（半精度 1e-3）；严重：平均 5 %；超过 95 % 则掩码方向相反。</translation>
    </message>
    <message>
        <source>common practice in debugging Transformers; pytorch issue 103963</source>
        <translation>调试 Transformer 的常见做法；pytorch issue 103963</translation>
    </message>
    <message>
        <source>Looking into the future</source>
        <translation>看到了未来</translation>
    </message>
    <message>
        <source>Weight above the diagonal of a causal layer.</source>
        <translation>因果层的对角线上方有权重。</translation>
    </message>
    <message>
        <source>The causal mask is missing or off by one, or a kernel leaks. The loss is suspiciously good and generation is bad.</source>
        <translation>因果掩码缺失或差一位，或内核有泄漏。损失好得可疑，而生成效果很差。</translation>
    </message>
    <message>
        <source>Change a later token: the outputs before it must not move.</source>
        <translation>改变靠后的词元：它之前的输出不得变化。</translation>
    </message>
    <message>
        <source>mask keys after the query: torch.triu(..., diagonal=1)</source>
        <translation>屏蔽查询之后的键：torch.triu(..., diagonal=1)</translation>
    </message>
    <message>
        <source>pass is_causal=True, or a mask aligned to the bottom right with a cache</source>
        <translation>传入 is_causal=True；有缓存时使用对齐到右下角的掩码</translation>
    </message>
    <message>
        <source>Critical: any row with more than 1e-4 (half precision 1e-3) in its future.</source>
        <translation>严重：任何一行在其未来多于 1e-4（半精度 1e-3）。</translation>
    </message>
    <message>
        <source>transformers issue 48745</source>
        <translation>transformers issue 48745</translation>
    </message>
    <message>
        <source>Documents see each other</source>
        <translation>文档之间互相可见</translation>
    </message>
    <message>
        <source>Weight outside the blocks of packed documents.</source>
        <translation>打包文档的块之外有权重。</translation>
    </message>
    <message>
        <source>Position ids are reset per document but no block mask is applied.</source>
        <translation>位置 id 按文档重置，却没有应用块掩码。</translation>
    </message>
    <message>
        <source>Change the first document: outputs of the second must not move.</source>
        <translation>改变第一个文档：第二个文档的输出不得变化。</translation>
    </message>
    <message>
        <source>pass a block-diagonal mask, or cu_seqlens to a variable-length kernel</source>
        <translation>传入块对角掩码，或把 cu_seqlens 传给变长内核</translation>
    </message>
    <message>
        <source>Warning: a row above 1e-4; critical: 5 % on average.</source>
        <translation>警告：一行超过 1e-4；严重：平均 5 %。</translation>
    </message>
    <message>
        <source>nanoVLM issue 204</source>
        <translation>nanoVLM issue 204</translation>
    </message>
    <message>
        <source>Attention beyond the window</source>
        <translation>关注到窗口之外</translation>
    </message>
    <message>
        <source>Weight farther away than the declared window.</source>
        <translation>权重落在比声明的窗口更远处。</translation>
    </message>
    <message>
        <source>The sliding window is not applied, has the wrong sign, or is off by one.</source>
        <translation>滑动窗口没有应用、符号错误，或差一位。</translation>
    </message>
    <message>
        <source>Look at the largest distance with weight.</source>
        <translation>查看有权重的最大距离。</translation>
    </message>
    <message>
        <source>allow a key iff 0 &lt;= query - key &lt; window</source>
        <translation>当且仅当 0 &lt;= query - key &lt; window 时允许该键</translation>
    </message>
    <message>
        <source>transformers issue 41228</source>
        <translation>transformers issue 41228</translation>
    </message>
    <message>
        <source>Attention where the mask forbids it</source>
        <translation>关注到掩码禁止之处</translation>
    </message>
    <message>
        <source>Weight on cells the intended mask forbids for none of the other reasons.</source>
        <translation>预期的掩码禁止的单元格上有权重，且不属于其他几种原因。</translation>
    </message>
    <message>
        <source>The applied mask is not the intended one; slots of a static cache that hold nothing yet get equal weights.</source>
        <translation>实际应用的掩码不是预期的掩码；静态缓存中尚未填入内容的槽得到相等的权重。</translation>
    </message>
    <message>
        <source>Overlay the mask.</source>
        <translation>叠加显示掩码。</translation>
    </message>
    <message>
        <source>mask cache slots beyond the current length</source>
        <translation>屏蔽当前长度之后的缓存槽</translation>
    </message>
    <message>
        <source>check the mask's shape just before it is applied</source>
        <translation>在应用掩码之前检查其形状</translation>
    </message>
    <message>
        <source>transformers issues 30414, 30670</source>
        <translation>transformers issue 30414、30670</translation>
    </message>
    <message>
        <source>The batch's mask lies on the heads</source>
        <translation>批次的掩码落在了头上</translation>
    </message>
    <message>
        <source>Each head is cut off at another length.</source>
        <translation>每个头在不同的长度处被截断。</translation>
    </message>
    <message>
        <source>A mask of shape [batch, 1, seq] was broadcast against [batch, heads, query, key]: its batch axis met the heads.</source>
        <translation>形状为 [batch, 1, seq] 的掩码与 [batch, heads, query, key] 广播：其批次轴对上了头轴。</translation>
    </message>
    <message>
        <source>Print the mask's shape; it needs [batch, 1, 1, seq].</source>
        <translation>打印掩码的形状；它应为 [batch, 1, 1, seq]。</translation>
    </message>
    <message>
        <source>mask[:, None, None, :] for a padding mask</source>
        <translation>填充掩码写作 mask[:, None, None, :]</translation>
    </message>
    <message>
        <source>Warning: heads of one sample have different runs of exactly zero keys at an end.</source>
        <translation>警告：同一样本的各头在末端恰好为零的键数不同。</translation>
    </message>
    <message>
        <source>class of broadcasting mistakes</source>
        <translation>一类广播错误</translation>
    </message>
    <message>
        <source>Allowed keys nobody sees</source>
        <translation>允许的键无人关注</translation>
    </message>
    <message>
        <source>Black cells in every head where the mask allows.</source>
        <translation>在掩码允许之处，每个头都是黑色的单元格。</translation>
    </message>
    <message>
        <source>The applied mask is narrower than the intended one: the causal mask is aligned to the top left although keys are cached, the diagonal is masked, or a window is too small.</source>
        <translation>实际应用的掩码比预期的窄：因果掩码对齐到左上角而键有缓存、对角线被屏蔽，或窗口太小。</translation>
    </message>
    <message>
        <source>Overlay the intended mask on the map.</source>
        <translation>把预期的掩码叠加在注意力图上。</translation>
    </message>
    <message>
        <source>align to the bottom right: key &lt;= query + keys - queries</source>
        <translation>对齐到右下角：key &lt;= query + keys - queries</translation>
    </message>
    <message>
        <source>use tril with diagonal=0</source>
        <translation>使用 diagonal=0 的 tril</translation>
    </message>
    <message>
        <source>Warning: more than 3 % of allowed cells are exactly zero in every flat head.</source>
        <translation>警告：多于 3 % 的允许单元格在每个平坦的头中都恰好为零。</translation>
    </message>
    <message>
        <source>pytorch issues 103082, 108108</source>
        <translation>pytorch issue 103082、108108</translation>
    </message>
    <message>
        <source>the padding mask is the wrong way round</source>
        <translation>填充掩码的方向相反</translation>
    </message>
    <message>
        <source>no padding mask reaches this layer</source>
        <translation>填充掩码没有到达该层</translation>
    </message>
    <message>
        <source>the fill is too small, or a 0/1 mask is added to the scores</source>
        <translation>填入的值太小，或把 0/1 掩码加到了分数上</translation>
    </message>
    <message>
        <source>the mask is on the query axis</source>
        <translation>掩码作用在查询轴上</translation>
    </message>
    <message>
        <source>the causal mask is missing</source>
        <translation>缺少因果掩码</translation>
    </message>
    <message>
        <source>the mask is off by one (triu diagonal)</source>
        <translation>掩码差一位（triu 的 diagonal）</translation>
    </message>
    <message>
        <source>packing without a block-diagonal mask</source>
        <translation>打包时没有使用块对角掩码</translation>
    </message>
    <message>
        <source>the kernel ignores the document ids</source>
        <translation>内核忽略了文档 id</translation>
    </message>
    <message>
        <source>off by one (distance = window)</source>
        <translation>差一位（距离 = 窗口）</translation>
    </message>
    <message>
        <source>the window is ignored by the backend</source>
        <translation>后端忽略了窗口</translation>
    </message>
    <message>
        <source>empty cache slots are not masked</source>
        <translation>空的缓存槽没有被屏蔽</translation>
    </message>
    <message>
        <source>the mask was dropped or broadcast wrongly</source>
        <translation>掩码被丢弃，或被错误地广播</translation>
    </message>
    <message>
        <source>a mask of shape [batch, 1, seq] without the extra axis</source>
        <translation>形状为 [batch, 1, seq] 的掩码缺少一个轴</translation>
    </message>
    <message>
        <source>top-left causal alignment with cached keys</source>
        <translation>有缓存的键，而因果掩码对齐到左上角</translation>
    </message>
    <message>
        <source>the diagonal is masked out</source>
        <translation>对角线被屏蔽</translation>
    </message>
    <message>
        <source>a narrower window than declared</source>
        <translation>窗口比声明的窄</translation>
    </message>
    <message>
        <source>Signals</source>
        <translation>信号</translation>
    </message>
    <message>
        <source>Every limit can be set: write `name = number` lines into a TOML file and pass it with
`check --thresholds FILE`, or in the settings of the window.</source>
        <translation>每个阈值都可以设置：把 `名称 = 数值` 的行写入 TOML 文件，并用 `check --thresholds FILE` 传入，或在窗口的设置中修改。</translation>
    </message>
    <message>
        <source>What the program looks for, what each finding means, and what to change. Severities: a *label* describes, a *notice* may matter, a *warning* is wrong or likely so, a *critical* flag breaks something that holds in every healthy run. Shapes alone never alarm: they stay labels or notices until they last, cover a layer and something else breaks too.</source>
        <translation>本页说明程序查找什么、每个发现意味着什么，以及应当改变什么。严重程度：*标注*只作描述，*提示*可能值得注意，*警告*是错误或很可能是错误，*严重*的告警违反了每个健康的运行都成立的性质。仅凭形态从不报警：在它持续下去、遍及一层并且另有别处失常之前，一直只是标注或提示。</translation>
    </message>
    <message>
        <source>A signal is in one of three states: found, clean, or *not evaluated*, with the reason and what to record so that it can be. Every cause under a flag is *confirmed*, *excluded* or *unknown*, with the evidence. All logarithms are natural: entropies and divergences are in nats.</source>
        <translation>一个信号处于三种状态之一：已发现、无问题，或*未评估*——后者附有理由，以及为了能够评估应当记录什么。告警下的每个原因都附有证据，分为*已证实*、*已排除*或*未知*。所有对数都是自然对数：熵与散度以奈特为单位。</translation>
    </message>
    <message>
        <source>The mean weight of a full softmax row is exactly 1/keys, whatever the head does: the popular rule "between 0.01 and 0.1" is a rule about the number of keys. Judge by the peak weight and the effective number of keys, exp(entropy), instead.</source>
        <translation>完整的一行 softmax 的平均权重恰好是 1/键数，无论该头做什么：流行的“在 0.01 与 0.1 之间”的规则其实是关于键数的规则。请改用峰值权重与有效键数 exp(熵) 来判断。</translation>
    </message>
    <message>
        <source>Looks like.</source>
        <translation>外观：</translation>
    </message>
    <message>
        <source>Why.</source>
        <translation>原因：</translation>
    </message>
    <message>
        <source>To confirm.</source>
        <translation>如何确认：</translation>
    </message>
    <message>
        <source>To change.</source>
        <translation>如何改变：</translation>
    </message>
    <message>
        <source>When it speaks.</source>
        <translation>何时报告：</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>阈值</translation>
    </message>
    <message>
        <source>name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>default</source>
        <translation>默认值</translation>
    </message>
    <message>
        <source>Source: {source}.</source>
        <translation>来源：{source}。</translation>
    </message>
    <message>
        <source>Extreme scores</source>
        <translation>分数过大</translation>
    </message>
    <message>
        <source>The score range of a head is far wider than its neighbours'; its rows are one-hot.</source>
        <translation>一个头的分数范围远大于相邻的头；其各行接近 one-hot。</translation>
    </message>
    <message>
        <source>Queries and keys have grown, or the scale is missing. 50 is a rule of thumb that is really the point where bfloat16 can no longer resolve scores; runs above 10,000 diverge.</source>
        <translation>查询与键已经增长，或缺少 scale。50 是一条经验规则，其实是 bfloat16 不再能分辨分数的界线；超过 10,000 的运行会发散。</translation>
    </message>
    <message>
        <source>Plot the score maximum over steps. At the first step it is a matter of scale or initialisation; later it is growth.</source>
        <translation>把分数的最大值随步画出。若第一步就如此，是 scale 或初始化的问题；若在之后，则是增长。</translation>
    </message>
    <message>
        <source>check the scale: q.k / sqrt(d_head)</source>
        <translation>检查 scale：q.k / sqrt(d_head)</translation>
    </message>
    <message>
        <source>add QK-norm or clip q and k (QK-Clip), or cap the scores</source>
        <translation>加入 QK-norm，或裁剪 q 与 k（QK-Clip），或给分数加上限</translation>
    </message>
    <message>
        <source>lower the learning rate of W_q and W_k, add warm-up and weight decay</source>
        <translation>降低 W_q 与 W_k 的学习率，加入预热与权重衰减</translation>
    </message>
    <message>
        <source>Notice above 50 (said again above 100), warning above 1,000, critical above 10,000 or within a factor 4 of 65504 in float16. ALiBi bias is taken out first.</source>
        <translation>高于 50 为提示（高于 100 时再次提示），高于 1,000 为警告，高于 10,000 或在 float16 中与 65504 相差不到 4 倍为严重。ALiBi 偏置事先扣除。</translation>
    </message>
    <message>
        <source>Wortsman et al. 2309.14322; ViT-22B 2302.05442; Kimi K2 2507.20534</source>
        <translation>Wortsman et al. 2309.14322；ViT-22B 2302.05442；Kimi K2 2507.20534</translation>
    </message>
    <message>
        <source>Scores grow without end</source>
        <translation>分数无止境地增长</translation>
    </message>
    <message>
        <source>The score maximum of one head rises on a log plot, frame after frame.</source>
        <translation>一个头的分数最大值在对数图上逐帧上升。</translation>
    </message>
    <message>
        <source>The earliest warning of a divergence known: the norms of W_q and W_k grow while W_v stays flat.</source>
        <translation>已知最早的发散预警：W_q 与 W_k 的范数增长，而 W_v 保持平稳。</translation>
    </message>
    <message>
        <source>Compare the norms of W_q, W_k and W_v of this layer over the checkpoints.</source>
        <translation>在各检查点上比较该层 W_q、W_k 与 W_v 的范数。</translation>
    </message>
    <message>
        <source>add QK-norm or QK-Clip</source>
        <translation>加入 QK-norm 或 QK-Clip</translation>
    </message>
    <message>
        <source>lower the learning rate, add weight decay on q and k</source>
        <translation>降低学习率，对 q 与 k 加入权重衰减</translation>
    </message>
    <message>
        <source>Notice: monotone over four intervals, 1.5-fold, above 50. Warning when the loss breaks later, or above 100, not slowing, and within a fifth of the run of 10,000.</source>
        <translation>提示：连续四个间隔单调上升、达 1.5 倍且高于 50。之后损失失常，或高于 100、没有放缓且在该运行的五分之一时间内会达到 10,000，则为警告。</translation>
    </message>
    <message>
        <source>OMG issue 8; Kimi K2 2507.20534</source>
        <translation>OMG issue 8；Kimi K2 2507.20534</translation>
    </message>
    <message>
        <source>The scale is not the declared one</source>
        <translation>scale 不是所声明的</translation>
    </message>
    <message>
        <source>Scores are a constant times what q, k and the configuration give. Too large: one-hot rows from the first step. Too small: rows that never sharpen.</source>
        <translation>分数是按 q、k 与配置应有值的某个常数倍。过大：从第一步起各行就接近 one-hot。过小：各行永远不会变尖锐。</translation>
    </message>
    <message>
        <source>The division by sqrt(d_head) is missing, applied twice (by hand and inside the attention op), or uses d_model.</source>
        <translation>缺少除以 sqrt(d_head)，或应用了两次（手工一次、注意力算子内一次），或用了 d_model。</translation>
    </message>
    <message>
        <source>Recompute q.k / sqrt(d_head) for one head and compare.</source>
        <translation>对一个头重算 q.k / sqrt(d_head) 并比较。</translation>
    </message>
    <message>
        <source>divide q.k by sqrt(d_head), once</source>
        <translation>把 q.k 除以 sqrt(d_head)，只除一次</translation>
    </message>
    <message>
        <source>declare what is meant: attributes={'scale': ...}</source>
        <translation>声明真正的本意：attributes={'scale': ...}</translation>
    </message>
    <message>
        <source>Warning: slope of scores on q.k off by more than 5 %; critical above twice.</source>
        <translation>警告：分数对 q.k 的斜率偏差超过 5 %；超过两倍为严重。</translation>
    </message>
    <message>
        <source>common practice in debugging Transformers; transformers issue 38290</source>
        <translation>调试 Transformer 的常见做法；transformers issue 38290</translation>
    </message>
    <message>
        <source>Scores are not q.k</source>
        <translation>分数不是 q.k</translation>
    </message>
    <message>
        <source>Weights look ordinary; the recorded scores do not follow from the recorded q and k.</source>
        <translation>权重看起来正常；但记录的分数不能由记录的 q 与 k 得出。</translation>
    </message>
    <message>
        <source>Query heads are paired with the wrong key head (tiled instead of repeated), or a reshape mixed heads and positions (view without transpose).</source>
        <translation>查询头配上了错误的键头（平铺而非逐个重复），或 reshape 混淆了头与位置（用了 view 而没有 transpose）。</translation>
    </message>
    <message>
        <source>Correlate the scores of a head with each q_i.k_j.</source>
        <translation>计算一个头的分数与每个 q_i.k_j 的相关系数。</translation>
    </message>
    <message>
        <source>use repeat_interleave on the head axis for grouped queries</source>
        <translation>分组查询请在头轴上使用 repeat_interleave</translation>
    </message>
    <message>
        <source>reshape to [batch, seq, heads, d] and transpose, do not view across axes</source>
        <translation>先 reshape 为 [batch, seq, heads, d] 再转置，不要跨轴 view</translation>
    </message>
    <message>
        <source>Critical: correlation below 0.98. A bias that depends on distance is taken out.</source>
        <translation>严重：相关系数低于 0.98。取决于距离的偏置事先扣除。</translation>
    </message>
    <message>
        <source>onnx issue 7274; axlearn issue 842</source>
        <translation>onnx issue 7274；axlearn issue 842</translation>
    </message>
    <message>
        <source>Scores too coarse for their format</source>
        <translation>分数对其格式来说太粗</translation>
    </message>
    <message>
        <source>Several keys of a row share the largest weight exactly.</source>
        <translation>一行中有多个键的最大权重完全相同。</translation>
    </message>
    <message>
        <source>bfloat16 cannot tell scores near 100 apart (its step is 0.5 there). Ties and biased rounding push the same way at every step until the loss explodes.</source>
        <translation>bfloat16 无法区分 100 附近的分数（其间隔在那里为 0.5）。并列与有偏的舍入在每一步都推向同一方向，直到损失爆炸。</translation>
    </message>
    <message>
        <source>Compute the softmax of one layer in float32 and compare.</source>
        <translation>以 float32 计算一层的 softmax 并比较。</translation>
    </message>
    <message>
        <source>compute scores and softmax in float32</source>
        <translation>以 float32 计算分数与 softmax</translation>
    </message>
    <message>
        <source>subtract a constant of the row first; add QK-norm</source>
        <translation>先减去该行的一个常数；加入 QK-norm</translation>
    </message>
    <message>
        <source>Warning: more than 2 % of rows tied where the format's step is 0.25 or more.</source>
        <translation>警告：在格式间隔不小于 0.25 处，多于 2 % 的行出现并列。</translation>
    </message>
    <message>
        <source>Qiu &amp; Yao 2510.04212</source>
        <translation>Qiu &amp; Yao 2510.04212</translation>
    </message>
    <message>
        <source>Soft-cap not applied</source>
        <translation>未应用软上限</translation>
    </message>
    <message>
        <source>Scores beyond the declared cap; or many rows pressed against it.</source>
        <translation>分数超出声明的上限；或许多行紧贴着它。</translation>
    </message>
    <message>
        <source>The attention backend ignores the cap, so training and inference differ.</source>
        <translation>注意力后端忽略了上限，因此训练与推理不一致。</translation>
    </message>
    <message>
        <source>Run the eager implementation on the same batch.</source>
        <translation>对同一批次运行 eager 实现。</translation>
    </message>
    <message>
        <source>use eager attention or a kernel with soft-cap support</source>
        <translation>使用 eager 注意力，或支持软上限的内核</translation>
    </message>
    <message>
        <source>Warning: 0.1 % above the cap; notice: more than 10 % of rows within 5 % of it.</source>
        <translation>警告：超出上限 0.1 %；提示：多于 10 % 的行处于上限的 5 % 以内。</translation>
    </message>
    <message>
        <source>vllm-metal issue 665; sglang issue 33915</source>
        <translation>vllm-metal issue 665；sglang issue 33915</translation>
    </message>
    <message>
        <source>q and k keep growing</source>
        <translation>q 与 k 不断增长</translation>
    </message>
    <message>
        <source>the parameters were never initialised, or far too large</source>
        <translation>参数从未初始化，或初始值过大</translation>
    </message>
    <message>
        <source>no learning-rate warm-up</source>
        <translation>没有学习率预热</translation>
    </message>
    <message>
        <source>no QK-norm</source>
        <translation>没有 QK-norm</translation>
    </message>
    <message>
        <source>look at the model's attention code</source>
        <translation>请看模型的注意力代码</translation>
    </message>
    <message>
        <source>W_q or W_k grows</source>
        <translation>W_q 或 W_k 在增长</translation>
    </message>
    <message>
        <source>no QK-norm or weight decay on q and k</source>
        <translation>q 与 k 上没有 QK-norm 或权重衰减</translation>
    </message>
    <message>
        <source>look at the model and optimiser settings</source>
        <translation>请看模型与优化器的设置</translation>
    </message>
    <message>
        <source>sqrt(d_model) was used instead of sqrt(d_head)</source>
        <translation>用了 sqrt(d_model) 而不是 sqrt(d_head)</translation>
    </message>
    <message>
        <source>another scale is meant and not declared</source>
        <translation>本意是另一个 scale，但没有声明</translation>
    </message>
    <message>
        <source>key heads are tiled instead of repeated</source>
        <translation>键头是平铺的而不是逐个重复的</translation>
    </message>
    <message>
        <source>a view where a transpose was needed</source>
        <translation>在需要 transpose 的地方用了 view</translation>
    </message>
    <message>
        <source>q and k were recorded before the position encoding</source>
        <translation>q 与 k 是在位置编码之前记录的</translation>
    </message>
    <message>
        <source>scores are computed in half precision</source>
        <translation>分数以半精度计算</translation>
    </message>
    <message>
        <source>scores are large</source>
        <translation>分数很大</translation>
    </message>
    <message>
        <source>the backend does not know the cap</source>
        <translation>后端不支持该上限</translation>
    </message>
    <message>
        <source>scores were recorded before the cap</source>
        <translation>分数是在上限之前记录的</translation>
    </message>
    <message>
        <source>check score_stage</source>
        <translation>请检查 score_stage</translation>
    </message>
    <message>
        <source>Entropy collapse</source>
        <translation>熵坍缩</translation>
    </message>
    <message>
        <source>Most heads of a layer have one-hot rows at scattered keys.</source>
        <translation>一层中多数头的各行在散乱的键上接近 one-hot。</translation>
    </message>
    <message>
        <source>Scores have grown so far that the softmax picks one key. Low entropy goes with oscillating or diverging training; but tasks of hard attention get there healthily, so only a broken loss or extreme scores make it a warning.</source>
        <translation>分数增长到使 softmax 只选一个键。低熵伴随着振荡或发散的训练；但需要硬注意力的任务也会健康地达到这一状态，因此只有损失失常或分数极端时才成为警告。</translation>
    </message>
    <message>
        <source>Entropy and score maximum of the layer over steps, beside the loss.</source>
        <translation>把该层的熵与分数最大值随步画在损失旁。</translation>
    </message>
    <message>
        <source>QK-norm or sigma-reparametrisation</source>
        <translation>QK-norm 或 sigma 重参数化</translation>
    </message>
    <message>
        <source>lower rate, longer warm-up</source>
        <translation>更低的学习率，更长的预热</translation>
    </message>
    <message>
        <source>Entropy below 5 % of what is possible in three quarters of a layer's heads: notice, warning with a loss anomaly or scores above 1,000.</source>
        <translation>一层四分之三的头的熵低于可能值的 5 %：提示；伴有损失异常或分数高于 1,000 时为警告。</translation>
    </message>
    <message>
        <source>Zhai et al. 2303.06296</source>
        <translation>Zhai et al. 2303.06296</translation>
    </message>
    <message>
        <source>Saturated head</source>
        <translation>头饱和</translation>
    </message>
    <message>
        <source>One head has one-hot rows at scattered keys.</source>
        <translation>一个头的各行在散乱的键上接近 one-hot。</translation>
    </message>
    <message>
        <source>Alone it is often a specialised head.</source>
        <translation>单独出现时，往往是专门化的头。</translation>
    </message>
    <message>
        <source>See whether neighbours follow.</source>
        <translation>看相邻的头是否随之变化。</translation>
    </message>
    <message>
        <source>watch it; nothing to change yet</source>
        <translation>继续观察；目前无需改动</translation>
    </message>
    <message>
        <source>Notice: entropy below 5 % of ln n, no band, sink or diagonal.</source>
        <translation>提示：熵低于 ln n 的 5 %，且没有带状、注意力汇或对角线。</translation>
    </message>
    <message>
        <source>measured on healthy models</source>
        <translation>在健康的模型上测得</translation>
    </message>
    <message>
        <source>Uniform attention</source>
        <translation>均匀注意力</translation>
    </message>
    <message>
        <source>A head or layer is one even grey.</source>
        <translation>一个头或一层是一片均匀的灰色。</translation>
    </message>
    <message>
        <source>Nothing was learnt here, or structure was lost: scores are scaled to nothing, q and k get no gradient, or the layer merely averages, which can be a solution.</source>
        <translation>这里什么也没有学到，或结构已经丢失：分数被缩放到近乎为零，q 与 k 得不到梯度，或该层只是取平均——这也可以是一种解。</translation>
    </message>
    <message>
        <source>Look at the validation set; overfit ten samples and see whether it sharpens.</source>
        <translation>查看验证集；对十个样本过拟合，看它是否变尖锐。</translation>
    </message>
    <message>
        <source>check scale and gradients of W_q and W_k</source>
        <translation>检查 scale 以及 W_q 与 W_k 的梯度</translation>
    </message>
    <message>
        <source>overfit 10 samples first</source>
        <translation>先对 10 个样本过拟合</translation>
    </message>
    <message>
        <source>Below 0.02 nats from uniform in the last half of the frames, past step 1,000: notice; three quarters of all heads, or a layer that had structure: warning.</source>
        <translation>在后一半的帧中、第 1,000 步之后与均匀分布相差低于 0.02 奈特：提示；全部头的四分之三，或曾有结构的层：警告。</translation>
    </message>
    <message>
        <source>All queries alike</source>
        <translation>所有查询相同</translation>
    </message>
    <message>
        <source>Vertical stripes: every row shows the same keys.</source>
        <translation>竖条纹：每一行显示同样的键。</translation>
    </message>
    <message>
        <source>Queries do not differ: the tokens collapsed to one direction, or positions are lost. The layer gives one vector for all positions.</source>
        <translation>各查询没有差别：词元坍缩到一个方向，或位置信息丢失。该层对所有位置给出同一个向量。</translation>
    </message>
    <message>
        <source>Compare the hidden states of two tokens.</source>
        <translation>比较两个词元的隐藏状态。</translation>
    </message>
    <message>
        <source>check residual connections and norms</source>
        <translation>检查残差连接与归一化层</translation>
    </message>
    <message>
        <source>check the position encoding</source>
        <translation>检查位置编码</translation>
    </message>
    <message>
        <source>Variation below 10 % in three quarters of the heads: notice; a warning when it lasts to the end past step 1,000.</source>
        <translation>四分之三的头的变化低于 10 %：提示；第 1,000 步之后持续到末尾时为警告。</translation>
    </message>
    <message>
        <source>Dong et al. 2103.03404</source>
        <translation>Dong et al. 2103.03404</translation>
    </message>
    <message>
        <source>Layers repeat each other</source>
        <translation>各层重复</translation>
    </message>
    <message>
        <source>The maps of several layers in a row look the same.</source>
        <translation>连续几层的注意力图看起来相同。</translation>
    </message>
    <message>
        <source>Depth is wasted: deep blocks copy the attention of the block before.</source>
        <translation>深度被浪费：深层的块照搬前一块的注意力。</translation>
    </message>
    <message>
        <source>Sort the heads by similarity to one head.</source>
        <translation>按与某一个头的相似度对头排序。</translation>
    </message>
    <message>
        <source>Re-attention or LayerScale</source>
        <translation>Re-attention 或 LayerScale</translation>
    </message>
    <message>
        <source>fewer layers</source>
        <translation>减少层数</translation>
    </message>
    <message>
        <source>Warning: cosine of centred maps above 0.9 over three pairs of layers.</source>
        <translation>警告：三对相邻层中心化注意力图的余弦都高于 0.9。</translation>
    </message>
    <message>
        <source>DeepViT 2103.11886</source>
        <translation>DeepViT 2103.11886</translation>
    </message>
    <message>
        <source>Heads converge</source>
        <translation>各头趋同</translation>
    </message>
    <message>
        <source>Heads that were different look the same in the last frames.</source>
        <translation>原先不同的头在最后几帧中看起来相同。</translation>
    </message>
    <message>
        <source>The heads of the layer settle on one pattern.</source>
        <translation>该层各头趋于同一种模式。</translation>
    </message>
    <message>
        <source>Compare two heads over steps.</source>
        <translation>比较两个头随步的变化。</translation>
    </message>
    <message>
        <source>lower the rate; head dropout</source>
        <translation>降低学习率；对头使用 dropout</translation>
    </message>
    <message>
        <source>fewer heads</source>
        <translation>减少头数</translation>
    </message>
    <message>
        <source>Warning: divergence between heads below 10 % of its largest value for two frames.</source>
        <translation>警告：各头之间的散度连续两帧低于其最大值的 10 %。</translation>
    </message>
    <message>
        <source>measured: healthy BERT layers keep 0.19 to 0.38 nats</source>
        <translation>测得：健康的 BERT 各层保持 0.19 至 0.38 奈特</translation>
    </message>
    <message>
        <source>Heads did not specialise</source>
        <translation>各头没有专门化</translation>
    </message>
    <message>
        <source>All heads of a layer have the same entropy and nearly the same map.</source>
        <translation>一层中所有头的熵相同，注意力图也几乎相同。</translation>
    </message>
    <message>
        <source>The layer uses one head's worth of attention.</source>
        <translation>该层只用到相当于一个头的注意力。</translation>
    </message>
    <message>
        <source>The entropy curves of the heads lie on each other.</source>
        <translation>各头的熵曲线重叠在一起。</translation>
    </message>
    <message>
        <source>train longer, initialise heads separately</source>
        <translation>训练更久，分别初始化各头</translation>
    </message>
    <message>
        <source>use fewer heads</source>
        <translation>使用更少的头</translation>
    </message>
    <message>
        <source>Notice: spread of entropy below 5 % of ln n and divergence below 0.02 nats.</source>
        <translation>提示：熵的差异低于 ln n 的 5 %，且散度低于 0.02 奈特。</translation>
    </message>
    <message>
        <source>Tokens collapse</source>
        <translation>词元坍缩</translation>
    </message>
    <message>
        <source>The tokens that enter the last layer are all but the same vector.</source>
        <translation>进入最后一层的词元几乎是同一个向量。</translation>
    </message>
    <message>
        <source>Attention alone mixes tokens until they are alike; skips and MLPs hold against it.</source>
        <translation>单凭注意力会把词元混合到彼此相同；跳连与 MLP 与之抗衡。</translation>
    </message>
    <message>
        <source>Compare the hidden states of two tokens of one sample after each layer.</source>
        <translation>在每一层之后比较同一样本中两个词元的隐藏状态。</translation>
    </message>
    <message>
        <source>check the residual path</source>
        <translation>检查残差路径</translation>
    </message>
    <message>
        <source>look for a bias or embedding that grows</source>
        <translation>查找是否有增长的偏置或嵌入</translation>
    </message>
    <message>
        <source>Notice: ||X - mean token|| / ||X|| of what enters the last layer below 0.1, measured by the recorder. Archives without `stats/input_spread` are not evaluated.</source>
        <translation>提示：由记录器测得，进入最后一层的内容的 ||X - mean token|| / ||X|| 低于 0.1。没有 `stats/input_spread` 的存档不予评估。</translation>
    </message>
    <message>
        <source>Frozen head</source>
        <translation>头停滞</translation>
    </message>
    <message>
        <source>One head does not change by a bit while others do.</source>
        <translation>一个头丝毫不变，而其他的头在变。</translation>
    </message>
    <message>
        <source>Its parameters get no gradient.</source>
        <translation>其参数得不到梯度。</translation>
    </message>
    <message>
        <source>Print the gradient norm of the head's slice of W_q.</source>
        <translation>打印 W_q 中该头那一段的梯度范数。</translation>
    </message>
    <message>
        <source>check requires_grad and the optimiser's groups</source>
        <translation>检查 requires_grad 与优化器的参数组</translation>
    </message>
    <message>
        <source>Warning: equal bit by bit over three intervals of the fixed probe.</source>
        <translation>警告：在固定探针批次上连续三个间隔逐位相同。</translation>
    </message>
    <message>
        <source>class of partial freezes</source>
        <translation>一类部分冻结</translation>
    </message>
    <message>
        <source>Frozen layer</source>
        <translation>层停滞</translation>
    </message>
    <message>
        <source>A whole layer does not change while others do.</source>
        <translation>整层不变，而其他层在变。</translation>
    </message>
    <message>
        <source>Print the gradient norm of the layer.</source>
        <translation>打印该层的梯度范数。</translation>
    </message>
    <message>
        <source>declare trainable=False if it is meant</source>
        <translation>若是有意的，请声明 trainable=False</translation>
    </message>
    <message>
        <source>Nothing updates</source>
        <translation>什么都没有更新</translation>
    </message>
    <message>
        <source>No head of any layer changes between frames.</source>
        <translation>各层没有任何头在帧与帧之间变化。</translation>
    </message>
    <message>
        <source>No gradient reaches the parameters, or the optimiser does not step.</source>
        <translation>没有梯度到达参数，或优化器没有迈步。</translation>
    </message>
    <message>
        <source>Print the gradient norm and a parameter before and after the step.</source>
        <translation>打印梯度范数，以及一个参数在该步之前与之后的值。</translation>
    </message>
    <message>
        <source>model.enable_input_require_grads(), or use_reentrant=False</source>
        <translation>model.enable_input_require_grads()，或 use_reentrant=False</translation>
    </message>
    <message>
        <source>build the optimiser after the model is wrapped</source>
        <translation>在包装模型之后再构造优化器</translation>
    </message>
    <message>
        <source>Critical: all layers equal bit by bit over three intervals of the fixed probe.</source>
        <translation>严重：所有层在固定探针批次上连续三个间隔逐位相同。</translation>
    </message>
    <message>
        <source>LoRA issue 120; peft issue 1142</source>
        <translation>LoRA issue 120；peft issue 1142</translation>
    </message>
    <message>
        <source>Sudden change</source>
        <translation>突变</translation>
    </message>
    <message>
        <source>Maps on the same batch change from one frame to the next.</source>
        <translation>同一批次上的注意力图在相邻两帧之间改变。</translation>
    </message>
    <message>
        <source>A checkpoint was loaded in another layout, the configuration changed on resume, or an update was far too large. One or two heads may also reorganise healthily (induction).</source>
        <translation>载入的检查点布局不同、恢复时配置改变，或某次更新过大。一两个头也可能健康地重组（归纳）。</translation>
    </message>
    <message>
        <source>Compare the frames before and after; look for a resume event.</source>
        <translation>比较前后两帧；查找恢复事件。</translation>
    </message>
    <message>
        <source>check the conversion of q and k (interleaved against half-split)</source>
        <translation>检查 q 与 k 的转换（交错排列还是前后对半）</translation>
    </message>
    <message>
        <source>compare configurations before and after the resume</source>
        <translation>比较恢复前后的配置</translation>
    </message>
    <message>
        <source>Divergence above 0.1 nats, 10 times the head's median and 6 robust deviations: notice; half of a layer's heads: warning.</source>
        <translation>散度高于 0.1 奈特、为该头中位数的 10 倍且达 6 个稳健偏差：提示；一层半数的头：警告。</translation>
    </message>
    <message>
        <source>candle issue 3948; Olsson et al. 2022</source>
        <translation>candle issue 3948；Olsson et al. 2022</translation>
    </message>
    <message>
        <source>Oscillation</source>
        <translation>振荡</translation>
    </message>
    <message>
        <source>Maps swing back and forth between two states.</source>
        <translation>注意力图在两种状态之间来回摇摆。</translation>
    </message>
    <message>
        <source>The learning rate sits at the edge of stability.</source>
        <translation>学习率处于稳定性的边缘。</translation>
    </message>
    <message>
        <source>Step through every second frame: they look alike.</source>
        <translation>每隔一帧查看：它们看起来一样。</translation>
    </message>
    <message>
        <source>lower the learning rate</source>
        <translation>降低学习率</translation>
    </message>
    <message>
        <source>Warning: four returns in a row, each above 0.05 nats.</source>
        <translation>警告：连续四次往返，每次都高于 0.05 奈特。</translation>
    </message>
    <message>
        <source>edge-of-stability literature</source>
        <translation>稳定性边缘（edge of stability）的文献</translation>
    </message>
    <message>
        <source>The output's range jumps</source>
        <translation>输出的范围跃变</translation>
    </message>
    <message>
        <source>A layer's output variance is far above its neighbours' and its own past.</source>
        <translation>一层输出的方差远高于相邻层，也远高于其自身以往。</translation>
    </message>
    <message>
        <source>Something in this layer blew up: values, output projection, a norm that is missing.</source>
        <translation>该层中有某个部分失控：值、输出投影，或缺少归一化层。</translation>
    </message>
    <message>
        <source>Print mean and variance of each layer's output.</source>
        <translation>打印每层输出的均值与方差。</translation>
    </message>
    <message>
        <source>check the norm around this layer</source>
        <translation>检查该层前后的归一化层</translation>
    </message>
    <message>
        <source>clip gradients, lower the rate</source>
        <translation>裁剪梯度，降低学习率</translation>
    </message>
    <message>
        <source>Warning: 10 times the median of earlier layers, 3 times the largest of its own past, and 6 robust deviations above how fast it has been growing.</source>
        <translation>警告：为较低各层中位数的 10 倍、自身以往最大值的 3 倍，且比其以往的增长速度高 6 个稳健偏差。</translation>
    </message>
    <message>
        <source>Dead head</source>
        <translation>失效头</translation>
    </message>
    <message>
        <source>The head contributes nothing to the layer's output.</source>
        <translation>该头对其层的输出没有贡献。</translation>
    </message>
    <message>
        <source>Its values or its slice of the output projection are near zero.</source>
        <translation>它的值或它在输出投影中的那一段接近零。</translation>
    </message>
    <message>
        <source>Remove the head and compare the loss.</source>
        <translation>去掉该头并比较损失。</translation>
    </message>
    <message>
        <source>prune it, or initialise it again</source>
        <translation>剪除它，或重新初始化</translation>
    </message>
    <message>
        <source>Notice: below 1 % of the output in all frames of the probe past warm-up.</source>
        <translation>提示：过了预热之后，在探针的所有帧中都低于输出的 1 %。</translation>
    </message>
    <message>
        <source>Voita et al. 2019</source>
        <translation>Voita et al. 2019</translation>
    </message>
    <message>
        <source>scores grew too large</source>
        <translation>分数变得过大</translation>
    </message>
    <message>
        <source>the task wants hard attention</source>
        <translation>任务本身需要硬注意力</translation>
    </message>
    <message>
        <source>the head's scores are large</source>
        <translation>该头的分数很大</translation>
    </message>
    <message>
        <source>the head is specialised</source>
        <translation>该头已专门化</translation>
    </message>
    <message>
        <source>q and k get no gradient (frozen, zero-initialised)</source>
        <translation>q 与 k 得不到梯度（被冻结或初始化为零）</translation>
    </message>
    <message>
        <source>the learning rate is too low</source>
        <translation>学习率过低</translation>
    </message>
    <message>
        <source>compare with a higher rate</source>
        <translation>请与更高的学习率比较</translation>
    </message>
    <message>
        <source>the layer averages on purpose</source>
        <translation>该层有意取平均</translation>
    </message>
    <message>
        <source>token representations collapsed (no skips, bad norm)</source>
        <translation>词元表示已坍缩（没有跳连，或归一化层有误）</translation>
    </message>
    <message>
        <source>the position encoding is missing or lost</source>
        <translation>位置编码缺失或丢失</translation>
    </message>
    <message>
        <source>run the model check `order`</source>
        <translation>请运行模型检查 `order`</translation>
    </message>
    <message>
        <source>q is constant, its bias outweighs it</source>
        <translation>q 是常数，被其偏置压过</translation>
    </message>
    <message>
        <source>record q and k: qk=True</source>
        <translation>请记录 q 与 k：qk=True</translation>
    </message>
    <message>
        <source>too deep for its width or data</source>
        <translation>相对于宽度或数据来说太深</translation>
    </message>
    <message>
        <source>parameters are shared between layers</source>
        <translation>各层之间共用参数</translation>
    </message>
    <message>
        <source>attach a checkpoint</source>
        <translation>请附上检查点</translation>
    </message>
    <message>
        <source>too strong regularisation, or a rate too high</source>
        <translation>正则化过强，或学习率过高</translation>
    </message>
    <message>
        <source>one head's pattern dominates the layer's gradient</source>
        <translation>某个头的模式主导了该层的梯度</translation>
    </message>
    <message>
        <source>training is too short or the rate too low</source>
        <translation>训练太短或学习率太低</translation>
    </message>
    <message>
        <source>heads start from equal weights</source>
        <translation>各头从相同的权重开始</translation>
    </message>
    <message>
        <source>missing skip connections or norms</source>
        <translation>缺少跳连或归一化层</translation>
    </message>
    <message>
        <source>one direction that all tokens share dwarfs the rest</source>
        <translation>所有词元共有的一个方向远大于其余的方向</translation>
    </message>
    <message>
        <source>its gradient is cut (mask, detach, pruning)</source>
        <translation>它的梯度被切断（掩码、detach、剪枝）</translation>
    </message>
    <message>
        <source>it is not in the optimiser</source>
        <translation>它不在优化器中</translation>
    </message>
    <message>
        <source>list the optimiser's parameters</source>
        <translation>请列出优化器的参数</translation>
    </message>
    <message>
        <source>requires_grad is off</source>
        <translation>requires_grad 已关闭</translation>
    </message>
    <message>
        <source>the layer is not in the optimiser</source>
        <translation>该层不在优化器中</translation>
    </message>
    <message>
        <source>LoRA with reentrant checkpointing and no input gradients</source>
        <translation>LoRA 与可重入的梯度检查点并用，而输入没有梯度</translation>
    </message>
    <message>
        <source>the learning rate is 0</source>
        <translation>学习率为 0</translation>
    </message>
    <message>
        <source>the optimiser holds other parameters than the model</source>
        <translation>优化器持有的参数不是模型的参数</translation>
    </message>
    <message>
        <source>resumed with another configuration or layout</source>
        <translation>以另一种配置或布局恢复</translation>
    </message>
    <message>
        <source>a rotary layout mismatch on load</source>
        <translation>载入时旋转位置编码的布局不符</translation>
    </message>
    <message>
        <source>a spike of the learning rate or gradient</source>
        <translation>学习率或梯度的尖峰</translation>
    </message>
    <message>
        <source>a phase change of one or two heads</source>
        <translation>一两个头的相变</translation>
    </message>
    <message>
        <source>the probe is not the same batch</source>
        <translation>探针并非同一批次</translation>
    </message>
    <message>
        <source>check probe_fixed</source>
        <translation>请检查 probe_fixed</translation>
    </message>
    <message>
        <source>a missing or misplaced norm</source>
        <translation>归一化层缺失或位置不对</translation>
    </message>
    <message>
        <source>v or the output projection grew</source>
        <translation>v 或输出投影增长了</translation>
    </message>
    <message>
        <source>weight decay drove it to zero</source>
        <translation>权重衰减把它推到了零</translation>
    </message>
    <message>
        <source>it never learnt anything</source>
        <translation>它从未学到任何东西</translation>
    </message>
    <message>
        <source>Diagonal collapse</source>
        <translation>对角坍缩</translation>
    </message>
    <message>
        <source>A bright diagonal, the rest black: each token attends only to itself.</source>
        <translation>一条明亮的对角线，其余为黑：每个词元只关注自己。</translation>
    </message>
    <message>
        <source>The layer passes every token through unmixed. A large initialisation alone gives one-hot rows at random places; the diagonal comes when queries and keys are nearly the same (shared or tied projections) and scores are large.</source>
        <translation>该层让每个词元原样通过，没有混合。单是初始化过大会在随机位置产生 one-hot 的行；而当查询与键几乎相同（投影共用或绑定）且分数很大时，就会出现对角线。</translation>
    </message>
    <message>
        <source>Compare the score range with that of other layers, and W_q with W_k in the model panel.</source>
        <translation>把分数范围与其他层比较，并在模型面板中比较 W_q 与 W_k。</translation>
    </message>
    <message>
        <source>initialise W_q, W_k, W_v with xavier (std sqrt(2 / (in + out)))</source>
        <translation>用 xavier 初始化 W_q、W_k、W_v（标准差 sqrt(2 / (in + out))）</translation>
    </message>
    <message>
        <source>use separate projections for q and k</source>
        <translation>q 与 k 使用各自的投影</translation>
    </message>
    <message>
        <source>check the scale; lower the learning rate</source>
        <translation>检查 scale；降低学习率</translation>
    </message>
    <message>
        <source>dropout p = 0.1 on the weights, after the softmax</source>
        <translation>在 softmax 之后对权重使用 p = 0.1 的 dropout</translation>
    </message>
    <message>
        <source>Notice: a head with more than 90 % of the mass above chance on its diagonal; warning: half of a layer's heads.</source>
        <translation>提示：一个头高于随机水平的质量有 90 % 以上在其对角线上；警告：一层半数的头如此。</translation>
    </message>
    <message>
        <source>A fixed offset</source>
        <translation>固定的偏移</translation>
    </message>
    <message>
        <source>A bright line beside the diagonal.</source>
        <translation>对角线旁的一条亮线。</translation>
    </message>
    <message>
        <source>Previous-token and next-token heads are healthy and the first step to induction.</source>
        <translation>前一词元头与后一词元头是健康的，也是通向归纳的第一步。</translation>
    </message>
    <message>
        <source>Step through training and watch it form.</source>
        <translation>沿训练逐步查看它如何形成。</translation>
    </message>
    <message>
        <source>nothing to change</source>
        <translation>无需改动</translation>
    </message>
    <message>
        <source>Label: more than 50 % above chance on one offset up to 8.</source>
        <translation>标注：在 8 以内的某一个偏移上高于随机水平 50 % 以上。</translation>
    </message>
    <message>
        <source>Clark et al. 2019; Olsson et al. 2022</source>
        <translation>Clark et al. 2019；Olsson et al. 2022</translation>
    </message>
    <message>
        <source>Attention sink</source>
        <translation>注意力汇</translation>
    </message>
    <message>
        <source>A bright column, usually of the first token or a separator.</source>
        <translation>一条亮列，通常是第一个词元或分隔符。</translation>
    </message>
    <message>
        <source>Where a head has nothing to look for it parks its attention. Normal in most heads of healthy models.</source>
        <translation>当一个头没有要找的内容时，就把注意力停放在这里。在健康模型的多数头中都属正常。</translation>
    </message>
    <message>
        <source>The column's token is the first, a separator or a register.</source>
        <translation>该列的词元是第一个词元、分隔符或寄存器（register）。</translation>
    </message>
    <message>
        <source>nothing to change; registers or a learned sink remove it</source>
        <translation>无需改动；寄存器或可学习的注意力汇可以消除它</translation>
    </message>
    <message>
        <source>Label: a key with more than 30 % on average.</source>
        <translation>标注：某个键平均多于 30 %。</translation>
    </message>
    <message>
        <source>Xiao et al. 2309.17453; Gu et al. 2410.10781</source>
        <translation>Xiao et al. 2309.17453；Gu et al. 2410.10781</translation>
    </message>
    <message>
        <source>Everyone looks at one key</source>
        <translation>所有查询都关注同一个键</translation>
    </message>
    <message>
        <source>One bright column in nearly all heads, at a token nobody would expect.</source>
        <translation>几乎所有的头都有同一条亮列，落在出乎意料的词元上。</translation>
    </message>
    <message>
        <source>The layer gives the same vector for every query: a broken alignment in cross-attention, an embedding fault, or saturated scores.</source>
        <translation>该层对每个查询给出同样的向量：交叉注意力没有对齐、嵌入有误，或分数饱和。</translation>
    </message>
    <message>
        <source>Look which token it is, in several samples.</source>
        <translation>在几个样本中看看那是哪个词元。</translation>
    </message>
    <message>
        <source>check embeddings and position encodings of that position</source>
        <translation>检查该位置的嵌入与位置编码</translation>
    </message>
    <message>
        <source>guided attention or a lower rate at the start (cross-attention)</source>
        <translation>引导式注意力，或在开始时降低学习率（交叉注意力）</translation>
    </message>
    <message>
        <source>Critical: one key that is not first or special has 85 % (cross 90 %) of the mass in three quarters of the heads.</source>
        <translation>严重：在四分之三的头中，有一个既非首个也非特殊的键占有 85 %（交叉注意力 90 %）的质量。</translation>
    </message>
    <message>
        <source>Tacotron-2 issue 232; fairseq issue 4446</source>
        <translation>Tacotron-2 issue 232；fairseq issue 4446</translation>
    </message>
    <message>
        <source>Mass on special tokens</source>
        <translation>特殊词元上的质量</translation>
    </message>
    <message>
        <source>Bright columns at [CLS], [SEP], start or end tokens.</source>
        <translation>在 [CLS]、[SEP]、起始或结束词元处的亮列。</translation>
    </message>
    <message>
        <source>A null operation of the head; more than half of BERT's heads do it.</source>
        <translation>该头的空操作；BERT 半数以上的头都如此。</translation>
    </message>
    <message>
        <source>Open the head: the bright columns are special tokens.</source>
        <translation>打开该注意力头：明亮的列都是特殊词元。</translation>
    </message>
    <message>
        <source>Label: more than half of the mass.</source>
        <translation>标注：多于一半的质量。</translation>
    </message>
    <message>
        <source>Clark et al. 2019</source>
        <translation>Clark et al. 2019</translation>
    </message>
    <message>
        <source>Identical heads</source>
        <translation>头完全相同</translation>
    </message>
    <message>
        <source>Two or more heads show the very same map.</source>
        <translation>两个或更多的头显示完全相同的注意力图。</translation>
    </message>
    <message>
        <source>The head average was broadcast, or projections were copied or shared.</source>
        <translation>各头的均值被广播，或投影被复制或共用。</translation>
    </message>
    <message>
        <source>Compare the heads' slices of W_q and W_k.</source>
        <translation>比较这些头在 W_q 与 W_k 中的各段。</translation>
    </message>
    <message>
        <source>initialise heads separately</source>
        <translation>分别初始化各头</translation>
    </message>
    <message>
        <source>Warning: equal to 1e-6 (exactly, in half precision) on rows that say something.</source>
        <translation>警告：在有信息的行上相差不超过 1e-6（半精度下完全相同）。</translation>
    </message>
    <message>
        <source>class of capture and initialisation mistakes</source>
        <translation>一类捕获与初始化的错误</translation>
    </message>
    <message>
        <source>Repeated keys</source>
        <translation>重复的键</translation>
    </message>
    <message>
        <source>Columns come in identical groups.</source>
        <translation>各列以完全相同的组出现。</translation>
    </message>
    <message>
        <source>repeat_interleave for grouped queries hit the sequence axis.</source>
        <translation>用于分组查询的 repeat_interleave 作用在了序列轴上。</translation>
    </message>
    <message>
        <source>The map is two to four times as wide as the sequence.</source>
        <translation>注意力图的宽度是序列的二到四倍。</translation>
    </message>
    <message>
        <source>repeat_interleave(n, dim=head axis)</source>
        <translation>repeat_interleave(n, dim=头轴)</translation>
    </message>
    <message>
        <source>Critical: all keys equal in groups of 2 to 4.</source>
        <translation>严重：所有的键以 2 至 4 个为一组相同。</translation>
    </message>
    <message>
        <source>prime-rl review 2681</source>
        <translation>prime-rl review 2681</translation>
    </message>
    <message>
        <source>Positions fall together</source>
        <translation>位置混叠</translation>
    </message>
    <message>
        <source>Equal tokens get equal weight wherever they stand; or, on one repeated token, neighbouring keys beyond 256 do.</source>
        <translation>相同的词元无论在何处都得到相同的权重；或在由同一词元重复而成的探针批次上，256 之后的相邻键如此。</translation>
    </message>
    <message>
        <source>The position encoding is missing, so the model cannot tell order and outputs only permute with the input. Or positions and angles are computed in bfloat16, which holds whole numbers to 256 only.</source>
        <translation>缺少位置编码，模型无法分辨次序，输出只随输入换序。或者位置与角度以 bfloat16 计算，而它只能准确表示到 256 的整数。</translation>
    </message>
    <message>
        <source>Run the model check `order`, or swap two tokens and see whether anything but their places changes.</source>
        <translation>运行模型检查 `order`，或交换两个词元，看除了它们的位置之外是否有任何变化。</translation>
    </message>
    <message>
        <source>add the position encoding to the embeddings, or rotate q and k</source>
        <translation>把位置编码加到嵌入上，或旋转 q 与 k</translation>
    </message>
    <message>
        <source>compute positions and angles in float32, cast afterwards</source>
        <translation>以 float32 计算位置与角度，之后再转换</translation>
    </message>
    <message>
        <source>Warning: all repeated tokens equal without a causal mask; on a repeated-token probe over 20 % equal neighbours beyond 256, under 5 % before.</source>
        <translation>警告：没有因果掩码时所有重复的词元都相等；在重复词元的探针批次上，256 之后有 20 % 以上的相邻键相等，而之前低于 5 %。</translation>
    </message>
    <message>
        <source>common practice in debugging Transformers; class of rotary precision mistakes</source>
        <translation>调试 Transformer 的常见做法；一类旋转位置编码的精度错误</translation>
    </message>
    <message>
        <source>Wrong ALiBi slopes</source>
        <translation>ALiBi 斜率有误</translation>
    </message>
    <message>
        <source>Heads fall off with distance faster or slower than declared.</source>
        <translation>各头随距离衰减得比声明的更快或更慢。</translation>
    </message>
    <message>
        <source>The slopes of a head count that is no power of two follow another series.</source>
        <translation>头数不是二的幂时，斜率遵循另一个数列。</translation>
    </message>
    <message>
        <source>Print the slopes beside the reference list.</source>
        <translation>把斜率打印在参考列表旁。</translation>
    </message>
    <message>
        <source>interleave the series of the next powers of two, as in the paper</source>
        <translation>按论文所述，与下一个二的幂的数列交错</translation>
    </message>
    <message>
        <source>Warning at step 0: off by more than 15 % in a quarter of the heads.</source>
        <translation>第 0 步的警告：四分之一的头偏差超过 15 %。</translation>
    </message>
    <message>
        <source>Press et al. 2021; mlx issue 3071</source>
        <translation>Press et al. 2021；mlx issue 3071</translation>
    </message>
    <message>
        <source>Massive activation</source>
        <translation>巨量激活</translation>
    </message>
    <message>
        <source>One activation is a thousand times larger than the rest.</source>
        <translation>一个激活值比其余的大一千倍。</translation>
    </message>
    <message>
        <source>A label: the usual company of sinks, and a trouble for quantisation.</source>
        <translation>一项标注：常与注意力汇相伴，并给量化带来麻烦。</translation>
    </message>
    <message>
        <source>Look at the output statistics of the layer.</source>
        <translation>查看该层的输出统计量。</translation>
    </message>
    <message>
        <source>nothing to change in training; keep it out of low-bit formats</source>
        <translation>训练中无需改动；不要让它进入低位宽格式</translation>
    </message>
    <message>
        <source>Label: above 100 and 1,000 times the typical value.</source>
        <translation>标注：高于 100，且为典型值的 1,000 倍。</translation>
    </message>
    <message>
        <source>Sun et al. 2402.17762</source>
        <translation>Sun et al. 2402.17762</translation>
    </message>
    <message>
        <source>W_q and W_k are initialised too large</source>
        <translation>W_q 与 W_k 的初始值过大</translation>
    </message>
    <message>
        <source>attach a checkpoint: its weights tell</source>
        <translation>请附上检查点：其参数权重可以说明</translation>
    </message>
    <message>
        <source>q and k share their weights</source>
        <translation>q 与 k 共用参数权重</translation>
    </message>
    <message>
        <source>no dropout on the attention</source>
        <translation>注意力上没有 dropout</translation>
    </message>
    <message>
        <source>the head learnt to look at a fixed distance</source>
        <translation>该头学会了关注固定的距离</translation>
    </message>
    <message>
        <source>softmax must put its mass somewhere</source>
        <translation>softmax 必须把质量放在某处</translation>
    </message>
    <message>
        <source>one key's vector is far larger than the others</source>
        <translation>某个键的向量远大于其他键</translation>
    </message>
    <message>
        <source>cross-attention never learnt to align</source>
        <translation>交叉注意力从未学会对齐</translation>
    </message>
    <message>
        <source>scores are extreme</source>
        <translation>分数极端</translation>
    </message>
    <message>
        <source>the head found nothing to look at</source>
        <translation>该头没有找到要关注的内容</translation>
    </message>
    <message>
        <source>the average over heads was stored for every head</source>
        <translation>每个头都存成了各头的均值</translation>
    </message>
    <message>
        <source>projections are copied or shared between heads</source>
        <translation>各头之间的投影被复制或共用</translation>
    </message>
    <message>
        <source>keys were repeated along the sequence instead of the heads</source>
        <translation>键沿序列而不是沿头被重复</translation>
    </message>
    <message>
        <source>no position encoding reaches the attention</source>
        <translation>没有位置编码到达注意力</translation>
    </message>
    <message>
        <source>position ids or rotary angles are rounded (bfloat16)</source>
        <translation>位置 id 或旋转角度被舍入（bfloat16）</translation>
    </message>
    <message>
        <source>the plain geometric series for 12, 20 ... heads</source>
        <translation>对 12、20 …… 个头直接使用了普通的等比数列</translation>
    </message>
    <message>
        <source>a bias-like value stored on one token</source>
        <translation>一个词元上存有类似偏置的值</translation>
    </message>
    <message>
        <source>NaN in the weights</source>
        <translation>权重中有 NaN</translation>
    </message>
    <message>
        <source>Magenta rows, or a whole magenta head; everything above it follows one step later.</source>
        <translation>品红色的行，或整个品红色的头；其上的一切在一步之后随之如此。</translation>
    </message>
    <message>
        <source>Something before or inside this layer gave NaN or infinity: its input, a projection, an overflowing score, the parameters after a bad update. The flag marks where it entered: the earliest step, in it the lowest layer, in that the fewest heads.</source>
        <translation>该层之前或之中有某处产生了 NaN 或无穷：其输入、某个投影、溢出的分数，或一次坏的更新之后的参数。告警标在它进入的地方：最早的步，其中最低的层，其中最少的头。</translation>
    </message>
    <message>
        <source>Look at the score maximum and the input counts of this layer at this step, then at loss and gradient norm of the step before.</source>
        <translation>查看该层在该步的分数最大值与输入计数，再看前一步的损失与梯度范数。</translation>
    </message>
    <message>
        <source>skip steps whose gradients are not finite; clip the gradient norm (1.0)</source>
        <translation>跳过梯度不是有限值的步；裁剪梯度范数（1.0）</translation>
    </message>
    <message>
        <source>lower the learning rate and add warm-up</source>
        <translation>降低学习率并加入预热</translation>
    </message>
    <message>
        <source>compute scores and softmax in float32, or train in bfloat16 instead of float16</source>
        <translation>以 float32 计算分数与 softmax，或以 bfloat16 代替 float16 训练</translation>
    </message>
    <message>
        <source>restart from the last checkpoint before this step</source>
        <translation>从该步之前的最后一个检查点重新开始</translation>
    </message>
    <message>
        <source>Critical: any non-finite weight in a valid row that has an allowed key.</source>
        <translation>严重：在有允许的键的有效行中出现任何非有限的权重。</translation>
    </message>
    <message>
        <source>common practice in debugging Transformers; pytorch issue 121558</source>
        <translation>调试 Transformer 的常见做法；pytorch issue 121558</translation>
    </message>
    <message>
        <source>A query that may see no key</source>
        <translation>看不到任何键的查询</translation>
    </message>
    <message>
        <source>The same rows are NaN in every head while all others are fine; or, with fused kernels and finite fills, rows of zeros or exactly uniform rows.</source>
        <translation>同样的行在每个头中都是 NaN，而其余都正常；或在融合内核与有限填充值下，这些行为零或完全均匀。</translation>
    </message>
    <message>
        <source>softmax over a row of -inf is 0/0. Key padding and a causal or banded mask left the row nothing. Even when the output of such rows is thrown away, 0 * NaN poisons the gradients.</source>
        <translation>对一整行 -inf 做 softmax 就是 0/0。键的填充与因果或带状掩码没有给该行留下任何键。即使丢弃这些行的输出，0 * NaN 也会污染梯度。</translation>
    </message>
    <message>
        <source>Overlay the mask: the row is empty. Sum the mask over keys and look for zeros.</source>
        <translation>叠加显示掩码：该行是空的。对掩码沿键求和，找出为零之处。</translation>
    </message>
    <message>
        <source>leave each row one key (its own), and drop its output afterwards</source>
        <translation>给每一行留下一个键（它自己），之后再丢弃其输出</translation>
    </message>
    <message>
        <source>use torch.where after the softmax, or an op that guards it (_safe_softmax)</source>
        <translation>在 softmax 之后使用 torch.where，或使用带保护的算子（_safe_softmax）</translation>
    </message>
    <message>
        <source>combine masks as booleans, then convert once</source>
        <translation>以布尔值合并掩码，然后只转换一次</translation>
    </message>
    <message>
        <source>Warning: any NaN row without an allowed key; a finite fill is a label.</source>
        <translation>警告：任何没有允许的键的 NaN 行；有限填充值则为标注。</translation>
    </message>
    <message>
        <source>pytorch issues 41508, 24816; transformers issue 27114</source>
        <translation>pytorch issue 41508、24816；transformers issue 27114</translation>
    </message>
    <message>
        <source>Scores overflow</source>
        <translation>分数溢出</translation>
    </message>
    <message>
        <source>Infinite scores inside the mask; the rows become NaN.</source>
        <translation>掩码允许的范围内出现无穷的分数；这些行变为 NaN。</translation>
    </message>
    <message>
        <source>q.k passed what the number format holds: 65504 in float16.</source>
        <translation>q.k 超过了数值格式所能容纳的上限：float16 为 65504。</translation>
    </message>
    <message>
        <source>Plot the score maximum over steps; it grows towards the limit.</source>
        <translation>把分数的最大值随步画出；它逐渐逼近上限。</translation>
    </message>
    <message>
        <source>scale q before the product, not the product after it</source>
        <translation>在相乘之前缩放 q，而不是在相乘之后</translation>
    </message>
    <message>
        <source>compute scores in float32 or bfloat16</source>
        <translation>以 float32 或 bfloat16 计算分数</translation>
    </message>
    <message>
        <source>add QK-norm, or clip with QK-Clip</source>
        <translation>加入 QK-norm，或用 QK-Clip 裁剪</translation>
    </message>
    <message>
        <source>Critical: any infinite score where the mask allows.</source>
        <translation>严重：掩码允许之处出现任何无穷的分数。</translation>
    </message>
    <message>
        <source>pytorch issue 121558; common practice in debugging Transformers</source>
        <translation>pytorch issue 121558；调试 Transformer 的常见做法</translation>
    </message>
    <message>
        <source>These are no attention weights</source>
        <translation>这些不是注意力权重</translation>
    </message>
    <message>
        <source>Negative values, or values above 1.</source>
        <translation>有负值，或大于 1 的值。</translation>
    </message>
    <message>
        <source>Scores, log-probabilities or an internal tensor of a kernel (whose sign marks dropped cells) were stored instead of the softmax's output.</source>
        <translation>存储的不是 softmax 的输出，而是分数、对数概率或内核的内部张量（其符号标记被丢弃的单元格）。</translation>
    </message>
    <message>
        <source>Look which tensor the hook returns.</source>
        <translation>看钩子返回的是哪个张量。</translation>
    </message>
    <message>
        <source>store the output of the softmax, before dropout</source>
        <translation>存储 dropout 之前的 softmax 输出</translation>
    </message>
    <message>
        <source>Critical: below -1e-6, or above 1 without the pattern of dropout.</source>
        <translation>严重：低于 -1e-6，或高于 1 且不具 dropout 的模式。</translation>
    </message>
    <message>
        <source>flash-attention issues 902, 1357</source>
        <translation>flash-attention issue 902、1357</translation>
    </message>
    <message>
        <source>Softmax over the wrong axis</source>
        <translation>softmax 的轴有误</translation>
    </message>
    <message>
        <source>Columns sum to 1 and rows do not, or every weight is 1.</source>
        <translation>列的和为 1 而行的和不是，或每个权重都是 1。</translation>
    </message>
    <message>
        <source>`softmax(dim=...)` names the queries, the heads, or an axis of length one.</source>
        <translation>`softmax(dim=...)` 指向了查询、头，或长度为一的轴。</translation>
    </message>
    <message>
        <source>Sum the weights over each axis.</source>
        <translation>沿每个轴对权重求和。</translation>
    </message>
    <message>
        <source>use softmax(scores, dim=-1) with keys on the last axis</source>
        <translation>使用 softmax(scores, dim=-1)，键在最后一个轴上</translation>
    </message>
    <message>
        <source>Critical: columns within 5 tolerances of 1 and rows off by more than 10.</source>
        <translation>严重：列的和与 1 相差在 5 倍容差之内，而行的和偏差超过 10 倍容差。</translation>
    </message>
    <message>
        <source>labml issue 282; PyTorch-NLP issue 2</source>
        <translation>labml issue 282；PyTorch-NLP issue 2</translation>
    </message>
    <message>
        <source>Rows do not sum to 1</source>
        <translation>行和不为 1</translation>
    </message>
    <message>
        <source>The row sums in the margin differ from 1, up and down.</source>
        <translation>页边的行和与 1 不同，有高有低。</translation>
    </message>
    <message>
        <source>Something changed the weights after the softmax, or another function than softmax made them.</source>
        <translation>softmax 之后有什么改变了权重，或权重不是由 softmax 得到。</translation>
    </message>
    <message>
        <source>Compare with softmax of the recorded scores.</source>
        <translation>与记录的分数的 softmax 比较。</translation>
    </message>
    <message>
        <source>renormalise, or declare what is meant (sink_logit, dropout)</source>
        <translation>重新归一化，或声明真正的本意（sink_logit、dropout）</translation>
    </message>
    <message>
        <source>Warning: beyond the tolerance of the storage (float32 2e-4, float16 1e-3, bfloat16 0.8 %).</source>
        <translation>警告：超出存储格式的容差（float32 2e-4、float16 1e-3、bfloat16 0.8 %）。</translation>
    </message>
    <message>
        <source>measured: rounding alone gives 5e-7, 3e-4 and 2.5e-3</source>
        <translation>测得：单是舍入就有 5e-7、3e-4 与 2.5e-3</translation>
    </message>
    <message>
        <source>All rows sum to one constant</source>
        <translation>所有行的和为同一常数</translation>
    </message>
    <message>
        <source>Every row sum is the same and is not 1.</source>
        <translation>每行的和都相同，且不是 1。</translation>
    </message>
    <message>
        <source>A factor is applied after the softmax: often 1/sqrt(d_head), which belongs before.</source>
        <translation>softmax 之后又乘了一个因子：往往是 1/sqrt(d_head)，而它应当在之前。</translation>
    </message>
    <message>
        <source>Compare the constant with 1/sqrt(d_head) and with 1/heads.</source>
        <translation>把该常数与 1/sqrt(d_head) 以及 1/heads 比较。</translation>
    </message>
    <message>
        <source>scale the scores, before the softmax</source>
        <translation>在 softmax 之前缩放分数</translation>
    </message>
    <message>
        <source>Warning: spread of the sums below 0.1 % and a mean that is not 1.</source>
        <translation>警告：行和的离散低于 0.1 %，且均值不是 1。</translation>
    </message>
    <message>
        <source>class of scale mistakes</source>
        <translation>一类缩放的错误</translation>
    </message>
    <message>
        <source>Rows sum to less than 1</source>
        <translation>行和小于 1</translation>
    </message>
    <message>
        <source>Row sums below 1, never above.</source>
        <translation>行和低于 1，从不高于 1。</translation>
    </message>
    <message>
        <source>A mask is multiplied in after the softmax and the rows are not renormalised; or a learned sink takes a share and was not declared.</source>
        <translation>在 softmax 之后才乘上掩码，而行没有重新归一化；或可学习的注意力汇占去一份而没有声明。</translation>
    </message>
    <message>
        <source>The missing mass equals what the forbidden keys had.</source>
        <translation>缺少的质量等于被禁止的键本应得到的质量。</translation>
    </message>
    <message>
        <source>mask the scores with -inf before the softmax</source>
        <translation>在 softmax 之前以 -inf 屏蔽分数</translation>
    </message>
    <message>
        <source>declare sink_logit=True if the model has one</source>
        <translation>若模型有可学习的注意力汇，请声明 sink_logit=True</translation>
    </message>
    <message>
        <source>Warning: sums below 1 by more than the storage tolerance.</source>
        <translation>警告：行和低于 1，且超过存储格式的容差。</translation>
    </message>
    <message>
        <source>timm issue 2236; pointer-generator issue 88</source>
        <translation>timm issue 2236；pointer-generator issue 88</translation>
    </message>
    <message>
        <source>Weights after dropout</source>
        <translation>dropout 之后的权重</translation>
    </message>
    <message>
        <source>Scattered exact zeros, the other weights raised, row sums around 1.</source>
        <translation>散乱分布的精确零，其余权重被抬高，行和在 1 附近。</translation>
    </message>
    <message>
        <source>The module returned weights after dropout, in training mode. What you see is not what the softmax gave.</source>
        <translation>模块在训练模式下返回了 dropout 之后的权重。您看到的不是 softmax 给出的结果。</translation>
    </message>
    <message>
        <source>The share of zeros is the dropout rate; eval() makes them vanish.</source>
        <translation>零的份额就是 dropout 的比率；eval() 会使它们消失。</translation>
    </message>
    <message>
        <source>record before dropout (the recorder does), or in eval mode</source>
        <translation>在 dropout 之前记录（记录器即如此），或在 eval 模式下记录</translation>
    </message>
    <message>
        <source>declare dropout=p if it is meant</source>
        <translation>若是本意，请声明 dropout=p</translation>
    </message>
    <message>
        <source>Warning: more than 1 % zeros among allowed cells and a row above 1.</source>
        <translation>警告：允许的单元格中多于 1 % 为零，且有一行大于 1。</translation>
    </message>
    <message>
        <source>pytorch issues 42929, 33360</source>
        <translation>pytorch issue 42929、33360</translation>
    </message>
    <message>
        <source>Dropout before the softmax</source>
        <translation>softmax 之前的 dropout</translation>
    </message>
    <message>
        <source>Scattered cells of a row share one exact value.</source>
        <translation>一行中散乱的单元格共有同一个精确值。</translation>
    </message>
    <message>
        <source>A dropped score is 0, not -inf: its key keeps the weight e^0/Z, which is noise and not regularisation. Some guides recommend it; it should stand after the softmax.</source>
        <translation>被丢弃的分数是 0 而不是 -inf：它的键保留权重 e^0/Z，这是噪声而不是正则化。有些教程推荐这样做；它应当放在 softmax 之后。</translation>
    </message>
    <message>
        <source>Look at the code between scores and softmax.</source>
        <translation>查看分数与 softmax 之间的代码。</translation>
    </message>
    <message>
        <source>apply dropout to the weights, after the softmax</source>
        <translation>在 softmax 之后对权重使用 dropout</translation>
    </message>
    <message>
        <source>Notice: more than 1 % of the scores are exactly 0 at scattered places.</source>
        <translation>提示：多于 1 % 的分数在散乱的位置上恰好为 0。</translation>
    </message>
    <message>
        <source>it came in with the layer's input</source>
        <translation>它随该层的输入而来</translation>
    </message>
    <message>
        <source>the query or key projection gives NaN</source>
        <translation>查询或键的投影产生 NaN</translation>
    </message>
    <message>
        <source>the scores overflow</source>
        <translation>分数溢出</translation>
    </message>
    <message>
        <source>a row without any allowed key</source>
        <translation>没有任何允许的键的行</translation>
    </message>
    <message>
        <source>half precision</source>
        <translation>半精度</translation>
    </message>
    <message>
        <source>scores grew until they broke</source>
        <translation>分数一直增长到失控</translation>
    </message>
    <message>
        <source>left padding under a causal mask</source>
        <translation>因果掩码下的左侧填充</translation>
    </message>
    <message>
        <source>a sample that is padding from end to end</source>
        <translation>整个样本都是填充</translation>
    </message>
    <message>
        <source>two additive masks of finfo.min overflow to -inf when added</source>
        <translation>两个 finfo.min 的加性掩码相加时溢出为 -inf</translation>
    </message>
    <message>
        <source>the diagonal is masked out (off by one)</source>
        <translation>对角线被屏蔽（差一位）</translation>
    </message>
    <message>
        <source>scores are computed in float16</source>
        <translation>分数以 float16 计算</translation>
    </message>
    <message>
        <source>q and k grew too large</source>
        <translation>q 与 k 增长得过大</translation>
    </message>
    <message>
        <source>scores before the softmax were stored</source>
        <translation>存储的是 softmax 之前的分数</translation>
    </message>
    <message>
        <source>log-probabilities were stored</source>
        <translation>存储的是对数概率</translation>
    </message>
    <message>
        <source>flash attention's S_dmask was taken for weights</source>
        <translation>把 flash attention 的 S_dmask 当成了权重</translation>
    </message>
    <message>
        <source>the dim argument of softmax is wrong</source>
        <translation>softmax 的 dim 参数错误</translation>
    </message>
    <message>
        <source>the tensor was transposed before the softmax</source>
        <translation>张量在 softmax 之前被转置</translation>
    </message>
    <message>
        <source>a sigmoid or another gate instead of the softmax</source>
        <translation>用的是 sigmoid 或其他门控，而不是 softmax</translation>
    </message>
    <message>
        <source>the weights were changed after the softmax</source>
        <translation>权重在 softmax 之后被改变</translation>
    </message>
    <message>
        <source>the scale is applied after the softmax</source>
        <translation>scale 应用在 softmax 之后</translation>
    </message>
    <message>
        <source>heads are averaged into the weights</source>
        <translation>各头被平均到权重中</translation>
    </message>
    <message>
        <source>the mask is applied after the softmax</source>
        <translation>掩码应用在 softmax 之后</translation>
    </message>
    <message>
        <source>a learned sink or softmax-off-by-one that is not declared</source>
        <translation>没有声明的可学习注意力汇或 softmax-off-by-one</translation>
    </message>
    <message>
        <source>training mode, and weights taken after dropout</source>
        <translation>训练模式，且权重取自 dropout 之后</translation>
    </message>
    <message>
        <source>dropout stands between scores and softmax</source>
        <translation>dropout 位于分数与 softmax 之间</translation>
    </message>
    <message>
        <source>{path}: `thresholds` must be a table of name = number.</source>
        <translation>{path}：`thresholds` 必须是“名称 = 数值”的表。</translation>
    </message>
    <message>
        <source>{path}: the thresholds cannot be read ({error}).</source>
        <translation>{path}：无法读取阈值（{error}）。</translation>
    </message>
    <message>
        <source>{path}: not valid TOML ({error}).</source>
        <translation>{path}：不是有效的 TOML（{error}）。</translation>
    </message>
    <message>
        <source> Did you mean `{step}`?</source>
        <translation>您是否想写 `{step}`？</translation>
    </message>
    <message>
        <source>{where}: there is no threshold `{name}`.{hint}</source>
        <translation>{where}：没有名为 `{name}` 的阈值。{hint}</translation>
    </message>
    <message>
        <source>{where}: `{name}` must be a number, not {value!r}.</source>
        <translation>{where}：`{name}` 必须是数，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>{where}: `{name}` must be finite and not negative, not {value}.</source>
        <translation>{where}：`{name}` 必须是有限且非负的数，而不是 {value}。</translation>
    </message>
    <message>
        <source>{where}: `{name}` must be a whole number, not {value}.</source>
        <translation>{where}：`{name}` 必须是整数，而不是 {value}。</translation>
    </message>
    <message>
        <source>type a token or words to watch, /an expression/, #4-9 for positions, or doc 2</source>
        <translation>请输入要关注的词元或文字，或 /表达式/，位置如 #4-9，文档如 doc 2</translation>
    </message>
    <message>
        <source>{text} is no regular expression: {error}</source>
        <translation>{text} 不是正则表达式：{error}</translation>
    </message>
    <message>
        <source>temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>scale</source>
        <translation>scale</translation>
    </message>
    <message>
        <source>causal</source>
        <translation>因果</translation>
    </message>
    <message>
        <source>padding</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>without key</source>
        <translation>去掉键</translation>
    </message>
    <message>
        <source>{what}: {reason}</source>
        <translation>{what}：{reason}</translation>
    </message>
    <message>
        <source>the temperature must be above 0</source>
        <translation>温度必须大于 0</translation>
    </message>
    <message>
        <source>the dropout probability must be from 0 to below 1</source>
        <translation>dropout 的概率必须在 0 与 1 之间（不含 1）</translation>
    </message>
    <message>
        <source>the window must be 0 (none) or a number of keys</source>
        <translation>窗口必须是 0（无）或键的个数</translation>
    </message>
    <message>
        <source>there is no key {without_key}: keys are 0 to {last}</source>
        <translation>没有键 {without_key}：键为 0 至 {last}</translation>
    </message>
    <message>
        <source>the scores of the masked keys are mask fills, not scores: record qk=True</source>
        <translation>被屏蔽的键的分数是掩码填入的值，不是真正的分数：请以 qk=True 记录</translation>
    </message>
    <message>
        <source>the weights are stored in 8 bits, too coarse for their logarithms: record scores=True</source>
        <translation>权重以 8 位存储，太粗而无法取对数：请以 scores=True 记录</translation>
    </message>
    <message>
        <source>q and k are not recorded: record qk=True, or use the temperature</source>
        <translation>未记录 q 与 k：请以 qk=True 记录，或使用温度</translation>
    </message>
    <message>
        <source>cross-attention: queries and keys share no order</source>
        <translation>交叉注意力：查询与键没有共同的顺序</translation>
    </message>
    <message>
        <source>no padding is recorded for this sample</source>
        <translation>该样本没有记录填充</translation>
    </message>
    <message>
        <source>what the masked keys would get is not in the weights: record scores=True</source>
        <translation>被屏蔽的键本应得到多少，权重中看不出来：请以 scores=True 记录</translation>
    </message>
    <message>
        <source>the softmax of {name} is off the recorded weights by up to {off:.2g}</source>
        <translation>由 {name} 算出的 softmax 与记录的权重最多相差 {off:.2g}</translation>
    </message>
    <message>
        <source>nothing was captured of this layer at this step</source>
        <translation>该步没有捕获到该层的任何内容</translation>
    </message>
    <message>
        <source>only overviews and statistics are stored at this step, no full map</source>
        <translation>该步只存储了概览与统计量，没有完整图</translation>
    </message>
    <message>
        <source>no weight of this head is finite at this step</source>
        <translation>该步该头没有任何有限的权重</translation>
    </message>
    <message>
        <source>{count} weights are stored as 0 where a key is allowed, and what a higher temperature would make of them is not known: record scores=True</source>
        <translation>有 {count} 个允许的键权重存为 0，温度升高后它们会变成多少无从得知：请以 scores=True 记录</translation>
    </message>
    <message>
        <source>the scores are not recorded: record scores=True</source>
        <translation>未记录分数：请以 scores=True 记录</translation>
    </message>
    <message>
        <source>the scores are not a multiple of q.k (a position bias?)</source>
        <translation>分数不是 q.k 的倍数（有位置偏置？）</translation>
    </message>
    <message>
        <source>Layer {index} ({name}) has weights of {axes} axes; they must be (sample, head, query, key).</source>
        <translation>第 {index} 层（{name}）的权重有 {axes} 个轴；必须是 (sample, head, query, key)。</translation>
    </message>
    <message>
        <source>{layer} has a single row: the same maps are shown for all {n_frames} frames.</source>
        <translation>{layer} 只有一行：全部 {n_frames} 帧都显示同样的注意力图。</translation>
    </message>
    <message>
        <source>nothing of {layer} can be read; the layer is left out.</source>
        <translation>{layer} 完全无法读取；略去该层。</translation>
    </message>
    <message>
        <source>{layer} has only {rows} of {n_frames} frames.</source>
        <translation>{layer} 在 {n_frames} 帧中只有 {rows} 帧。</translation>
    </message>
    <message>
        <source>the overviews are not used: {reason}; maps are read instead.</source>
        <translation>不使用概览：{reason}；改为读取注意力图。</translation>
    </message>
    <message>
        <source>that of layer {position}, head {head}, frame {frame} contradicts its map</source>
        <translation>第 {position} 层头 {head} 第 {frame} 帧的概览与其注意力图矛盾</translation>
    </message>
    <message>
        <source>{path} has shape {shape} and type {dtype}, which fits no overview of these layers</source>
        <translation>{path} 的形状为 {shape}，类型为 {dtype}，与这些层的任何概览都不相符</translation>
    </message>
    <message>
        <source>{name} does not name its {columns} columns</source>
        <translation>{name} 没有给出其 {columns} 列的名称</translation>
    </message>
    <message>
        <source>{name} is too small for layer {position} of {n_heads} heads and {queries} x {keys} cells</source>
        <translation>{name} 对第 {position} 层的 {n_heads} 个头与 {queries} x {keys} 个单元格来说太小</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true 或 false</translation>
    </message>
    <message>
        <source>attribute alibi_slopes has {count} values for n_heads = {heads}; both are taken as unknown</source>
        <translation>属性 alibi_slopes 有 {count} 个值，而 n_heads = {heads}；两者都视为未知</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数</translation>
    </message>
    <message>
        <source>a finite number</source>
        <translation>有限的数</translation>
    </message>
    <message>
        <source>a positive number</source>
        <translation>正数</translation>
    </message>
    <message>
        <source>a number other than 0</source>
        <translation>不为 0 的数</translation>
    </message>
    <message>
        <source>a probability from 0 up to, not including, 1</source>
        <translation>从 0 到 1（不含 1）的概率</translation>
    </message>
    <message>
        <source>two numbers, rows and columns of patches</source>
        <translation>两个数：图块的行数与列数</translation>
    </message>
    <message>
        <source>attribute {name} cannot be read; it is taken as unknown</source>
        <translation>无法读取属性 {name}；视为未知</translation>
    </message>
    <message>
        <source>attribute grid = {grid} has {cells} patches, more than seq_len = {length}; grid is taken as unknown</source>
        <translation>属性 grid = {grid} 有 {cells} 个图块，多于 seq_len = {length}；grid 视为未知</translation>
    </message>
    <message>
        <source>a whole number of at least {least}</source>
        <translation>不小于 {least} 的整数</translation>
    </message>
    <message>
        <source>an integer</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>attribute {name} = {value} should be {wrong}; it is taken as unknown</source>
        <translation>属性 {name} = {value} 应为{wrong}；视为未知</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>install it with: pip install hdf5plugin</source>
        <translation>请安装：pip install hdf5plugin</translation>
    </message>
    <message>
        <source>install the HDF5 plugin for it</source>
        <translation>请安装相应的 HDF5 插件</translation>
    </message>
    <message>
        <source>{path} is compressed with {known} (HDF5 filter {code}), which this machine cannot unpack; {advice}.</source>
        <translation>{path} 以 {known} 压缩（HDF5 过滤器 {code}），本机无法解压；{advice}。</translation>
    </message>
    <message>
        <source>The file names no steps; everything is taken as step 0.</source>
        <translation>文件没有给出步；全部视为第 0 步。</translation>
    </message>
    <message>
        <source>{target} is the file itself; name another one for the archive.</source>
        <translation>{target} 就是该文件本身；请为存档另取一个名称。</translation>
    </message>
    <message>
        <source>{path} holds no dataset whose rows sum to 1 like attention weights; name it with --dataset PATH and --axes.</source>
        <translation>{path} 中没有行和为 1、像注意力权重的数据集；请用 --dataset PATH 与 --axes 指明。</translation>
    </message>
    <message>
        <source>The file names no steps; they are counted from 0.</source>
        <translation>文件没有给出步；从 0 开始计数。</translation>
    </message>
    <message>
        <source>{path} is gone.</source>
        <translation>{path} 已不存在。</translation>
    </message>
    <message>
        <source>step {step}: {error}</source>
        <translation>第 {step} 步：{error}</translation>
    </message>
    <message>
        <source> and {others} more like it</source>
        <translation> 以及另外 {others} 个类似的</translation>
    </message>
    <message>
        <source>{path}{more} is read as ({named})</source>
        <translation>{path}{more} 读作（{named}）</translation>
    </message>
    <message>
        <source>The axes {text!r} cannot be used: name each axis once, with query and key among them, out of {known}.</source>
        <translation>无法使用轴 {text!r}：每个轴请只写一次，其中须有 query 与 key，可用的有：{known}。</translation>
    </message>
    <message>
        <source>{path} has {count} axes {shape}, but {n_axes} were named: {axes}.</source>
        <translation>{path} 有 {count} 个轴 {shape}，但写了 {n_axes} 个：{axes}。</translation>
    </message>
    <message>
        <source>{path} has shape {shape}: its axes can be read in more than one way, for example as (layer, head, query, key) or (sample, head, query, key). Say which with --axes "layer head query key".</source>
        <translation>{path} 的形状为 {shape}：其轴有多种读法，例如 (layer, head, query, key) 或 (sample, head, query, key)。请用 --axes "layer head query key" 说明是哪一种。</translation>
    </message>
    <message>
        <source>its step {step} comes from its name</source>
        <translation>其步 {step} 取自名称</translation>
    </message>
    <message>
        <source>its layer {layer} comes from its name</source>
        <translation>其层 {layer} 取自名称</translation>
    </message>
    <message>
        <source>Layer {position} has no full maps at this step.</source>
        <translation>第 {position} 层在该步没有完整图。</translation>
    </message>
    <message>
        <source>{path} is not an archive of ours; record into another file.</source>
        <translation>{path} 不是本程序的存档；请记录到另一个文件。</translation>
    </message>
    <message>
        <source>{path} has another format version; record into another file.</source>
        <translation>{path} 的格式版本不同；请记录到另一个文件。</translation>
    </message>
    <message>
        <source>{path} was not written by the recorder and cannot grow; record into another file.</source>
        <translation>{path} 不是由记录器写成的，无法继续写入；请记录到另一个文件。</translation>
    </message>
    <message>
        <source>{path} is not an HDF5 file; record into another file.</source>
        <translation>{path} 不是 HDF5 文件；请记录到另一个文件。</translation>
    </message>
    <message>
        <source>{path}: layer {index} cannot grow; record into another file.</source>
        <translation>{path}：第 {index} 层无法继续写入；请记录到另一个文件。</translation>
    </message>
    <message>
        <source>{name} has shape {shape} and type {dtype}; (frame, sample, height, width, 3) of uint8 was expected; it is not shown.</source>
        <translation>{name} 的形状为 {shape}，类型为 {dtype}；应为 uint8 的 (frame, sample, height, width, 3)；不予显示。</translation>
    </message>
    <message>
        <source>{path} is missing; the layer has no maps.</source>
        <translation>缺少 {path}；该层没有注意力图。</translation>
    </message>
    <message>
        <source>{path} declares {shape} values but nothing of it is stored; it is not used.</source>
        <translation>{path} 声明了 {shape} 个值，但其中什么也没有存储；不予使用。</translation>
    </message>
    <message>
        <source>{path} has shape {shape} instead of (frame, sample, 2); it is ignored.</source>
        <translation>{path} 的形状为 {shape}，而不是 (frame, sample, 2)；忽略。</translation>
    </message>
    <message>
        <source>{path} has {axes} axes; (frame, head, query, key) or (frame, sample, head, query, key) was expected; it is not used.</source>
        <translation>{path} 有 {axes} 个轴；应为 (frame, head, query, key) 或 (frame, sample, head, query, key)；不予使用。</translation>
    </message>
    <message>
        <source>{path} has type {dtype}; it is not used.</source>
        <translation>{path} 的类型为 {dtype}；不予使用。</translation>
    </message>
    <message>
        <source>{path} has shape {shape}, which does not fit the weights' {weights}; it is not used.</source>
        <translation>{path} 的形状为 {shape}，与权重的 {weights} 不符；不予使用。</translation>
    </message>
    <message>
        <source> x </source>
        <translation> x </translation>
    </message>
    <message>
        <source>{path}: row {row} was declared but never stored.</source>
        <translation>{path}：声明了第 {row} 行，但从未存储。</translation>
    </message>
    <message>
        <source>{path} ends before frame {frame}.</source>
        <translation>{path} 在第 {frame} 帧之前就结束了。</translation>
    </message>
    <message>
        <source>layer {layer} holds {n_samples} samples, counted from 0; there is no sample {sample}.</source>
        <translation>第 {layer} 层有 {n_samples} 个样本，从 0 计数；没有样本 {sample}。</translation>
    </message>
    <message>
        <source>{name} has shape {shape} and type {dtype} instead of (frame, sample, height, width, 3) uint8; it is ignored.</source>
        <translation>{name} 的形状为 {shape}，类型为 {dtype}，而不是 (frame, sample, height, width, 3) uint8；忽略。</translation>
    </message>
    <message>
        <source>Unknown compression {compression!r}; use one of {known}.</source>
        <translation>未知的压缩方式 {compression!r}；可用的有：{known}。</translation>
    </message>
    <message>
        <source>compression='fast' needs the package hdf5plugin: pip install hdf5plugin, or use compression='lzf'.</source>
        <translation>compression='fast' 需要软件包 hdf5plugin：pip install hdf5plugin，或使用 compression='lzf'。</translation>
    </message>
    <message>
        <source>this process is writing</source>
        <translation>本进程正在写入</translation>
    </message>
    <message>
        <source>another process is writing</source>
        <translation>另一个进程正在写入</translation>
    </message>
    <message>
        <source>{path} has shape {shape} instead of (points, 2); ignored.</source>
        <translation>{path} 的形状为 {shape}，而不是 (points, 2)；忽略。</translation>
    </message>
    <message>
        <source>{path} has {axes} axes; it is ignored.</source>
        <translation>{path} 有 {axes} 个轴；忽略。</translation>
    </message>
    <message>
        <source>{path} is {rows} x {columns}, too small for maps of {queries} x {keys}; it is ignored.</source>
        <translation>{path} 为 {rows} x {columns}，对 {queries} x {keys} 的注意力图来说太小；忽略。</translation>
    </message>
    <message>
        <source>{path} is for {length} heads, the layer has {n_heads}; it is ignored.</source>
        <translation>{path} 适用于 {length} 个头，而该层有 {n_heads} 个；忽略。</translation>
    </message>
    <message>
        <source>the file is cut short: {size:,} of {length:,} bytes are there; `main.py repair` saves what is left.</source>
        <translation>文件被截断：{length:,} 字节中只有 {size:,} 字节；`main.py repair` 可以挽救剩下的部分。</translation>
    </message>
    <message>
        <source>{path} is damaged in its very first bytes, nothing can be read; look for an earlier copy, or record it again.</source>
        <translation>{path} 最开头的字节已损坏，什么也无法读取；请寻找更早的副本，或重新记录。</translation>
    </message>
    <message>
        <source>{path} is not an HDF5 file; archives are written by record(model, 'run.h5'), and `main.py import` turns .pt, .npy and .npz dumps into one.</source>
        <translation>{path} 不是 HDF5 文件；存档由 record(model, 'run.h5') 写成，`main.py import` 可把 .pt、.npy 与 .npz 转储变为存档。</translation>
    </message>
    <message>
        <source>{path} is damaged beyond reading: {reason}</source>
        <translation>{path} 已损坏，无法读取：{reason}</translation>
    </message>
    <message>
        <source>the file is cut off here</source>
        <translation>文件在此处被截断</translation>
    </message>
    <message>
        <source>{path} is a folder; name the archive in it.</source>
        <translation>{path} 是文件夹；请指明其中的存档。</translation>
    </message>
    <message>
        <source>{path} is empty (0 bytes); nothing was recorded yet, or the disk was full.</source>
        <translation>{path} 是空的（0 字节）；还没有记录任何内容，或磁盘曾满。</translation>
    </message>
    <message>
        <source>{path} does not exist; check the path.</source>
        <translation>{path} 不存在；请检查路径。</translation>
    </message>
    <message>
        <source>{path} may not be read; check its permissions.</source>
        <translation>没有读取 {path} 的权限；请检查其权限。</translation>
    </message>
    <message>
        <source>{path} cannot be read: {why}.</source>
        <translation>无法读取 {path}：{why}。</translation>
    </message>
    <message>
        <source>{path} is damaged before its first whole frame ({why}); look for an earlier copy, or record it again.</source>
        <translation>{path} 在第一个完整的帧之前已损坏（{why}）；请寻找更早的副本，或重新记录。</translation>
    </message>
    <message>
        <source>{path} lies on another machine, where this does not reach; copy the file here first (`scp`).</source>
        <translation>{path} 位于另一台机器上，此操作无法到达；请先把文件复制到本机（`scp`）。</translation>
    </message>
    <message>
        <source>No full maps were stored at this step; the overview is enlarged.</source>
        <translation>该步没有存储完整图；显示放大的概览。</translation>
    </message>
    <message>
        <source>{path}: layer {layer} has {n_heads} heads, counted from 0; there is no head {head}.</source>
        <translation>{path}：第 {layer} 层有 {n_heads} 个头，从 0 计数；没有头 {head}。</translation>
    </message>
    <message>
        <source>{path} is not open; open it again.</source>
        <translation>{path} 没有打开；请重新打开。</translation>
    </message>
    <message>
        <source>{path} has {n_frames} frames, counted from 0; there is no frame {frame_index}.</source>
        <translation>{path} 有 {n_frames} 帧，从 0 计数；没有第 {frame_index} 帧。</translation>
    </message>
    <message>
        <source>{path} has {n_layers} layers, counted from 0; there is no layer {index}.</source>
        <translation>{path} 有 {n_layers} 层，从 0 计数；没有第 {index} 层。</translation>
    </message>
    <message>
        <source>a part of it</source>
        <translation>其中的一部分</translation>
    </message>
    <message>
        <source>{path}: {error}</source>
        <translation>{path}：{error}</translation>
    </message>
    <message>
        <source>{path}: {reason}</source>
        <translation>{path}：{reason}</translation>
    </message>
    <message>
        <source>TorchScript code shows nothing to a recorder; run the original module</source>
        <translation>TorchScript 代码不向记录器显示任何内容；请运行原始模块</translation>
    </message>
    <message>
        <source>it ran, but no attention was seen in it: a kernel this recorder does not know; record.register(function, how) teaches it</source>
        <translation>它运行过，但其中没有看到注意力：是本记录器不认识的内核；可用 record.register(function, how) 登记</translation>
    </message>
    <message>
        <source>nothing to record: no attention was seen; run the model's forward inside recorder.step(...), or teach the recorder your kernel with record.register</source>
        <translation>没有可记录的内容：没有看到注意力；请在 recorder.step(...) 中运行模型的 forward，或用 record.register 登记您的内核</translation>
    </message>
    <message>
        <source>sample {sample} of the batch is the one with non-finite values in {where}</source>
        <translation>在{where}中，批次的样本 {sample} 含有非有限值</translation>
    </message>
    <message>
        <source>sample {sample} of the batch has a loss that is not finite</source>
        <translation>批次的样本 {sample} 的损失不是有限值</translation>
    </message>
    <message>
        <source>sample {sample} of the batch has the highest loss, {value}</source>
        <translation>批次的样本 {sample} 的损失最高，为 {value}</translation>
    </message>
    <message>
        <source>the output of {path}</source>
        <translation>{path} 的输出</translation>
    </message>
    <message>
        <source>the output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>this model is compiled: recorded steps run eagerly (results differ by rounding, about 1e-8), the others stay compiled; compiled='probe_only' or 'skip' leaves every step compiled</source>
        <translation>该模型经过编译：记录的步以 eager 方式运行（结果因舍入相差约 1e-8），其余的步仍是编译的；compiled='probe_only' 或 'skip' 使每一步都保持编译</translation>
    </message>
    <message>
        <source>the model is compiled and compiled='skip' was asked for: nothing is recorded</source>
        <translation>模型经过编译，而要求了 compiled='skip'：什么也不记录</translation>
    </message>
    <message>
        <source>the model is compiled and compiled='probe_only' was asked for: only the probe is</source>
        <translation>模型经过编译，而要求了 compiled='probe_only'：只记录探针批次</translation>
    </message>
    <message>
        <source>this step was not recorded: {error}</source>
        <translation>该步没有记录：{error}</translation>
    </message>
    <message>
        <source>part of this step was not recorded: {error}</source>
        <translation>该步有一部分没有记录：{error}</translation>
    </message>
    <message>
        <source>the padding given to recorder.step looks inverted: it marks tokens with many ids as padding and one repeated id as text. attention_mask= is 1 for real tokens, key_padding= is True for padding. The other way round was stored.</source>
        <translation>传给 recorder.step 的填充看起来方向相反：它把 id 各异的词元标为填充，而把同一个重复的 id 标为文本。attention_mask= 以 1 表示真实的词元，key_padding= 以 True 表示填充。已按相反的方向存储。</translation>
    </message>
    <message>
        <source>the model was called with {name} that looks inverted: it marks tokens with many ids as padding and one repeated id as text</source>
        <translation>调用模型时的 {name} 看起来方向相反：它把 id 各异的词元标为填充，而把同一个重复的 id 标为文本</translation>
    </message>
    <message>
        <source>the gradient norm could not be taken: {error}</source>
        <translation>无法取得梯度范数：{error}</translation>
    </message>
    <message>
        <source>the gradient of {name} is not finite</source>
        <translation>{name} 的梯度不是有限值</translation>
    </message>
    <message>
        <source>the disk is slower than training: this frame was dropped; record less often (every=), fewer samples, or use compression='lzf'</source>
        <translation>磁盘比训练慢：该帧被丢弃；请减少记录的频率（every=）或样本数，或使用 compression='lzf'</translation>
    </message>
    <message>
        <source>{count} frames: the disk was slower than training</source>
        <translation>{count} 帧：磁盘比训练慢</translation>
    </message>
    <message>
        <source>what broke on this rank could not be stored: {error}</source>
        <translation>无法存储该 rank 上出错的内容：{error}</translation>
    </message>
    <message>
        <source>what broke on this rank is stored in {path}</source>
        <translation>该 rank 上出错的内容存储在 {path} 中</translation>
    </message>
    <message>
        <source>the crash could not be kept: {error}</source>
        <translation>无法保存崩溃的信息：{error}</translation>
    </message>
    <message>
        <source>the probe could not be run: {error}</source>
        <translation>无法运行探针批次：{error}</translation>
    </message>
    <message>
        <source>every({step}) raised {error}; this step is not recorded</source>
        <translation>every({step}) 抛出 {error}；不记录该步</translation>
    </message>
    <message>
        <source>{used} of {limit} (limit_bytes) are used: from here on overviews and statistics only, no full maps</source>
        <translation>{limit}（limit_bytes）已用去 {used}：从此处起只有概览与统计量，没有完整图</translation>
    </message>
    <message>
        <source>{used} of {limit} (limit_bytes) are used: full maps are stored every {every}th recorded frame from here on</source>
        <translation>{limit}（limit_bytes）已用去 {used}：从此处起每 {every} 个记录的帧存储一次完整图</translation>
    </message>
    <message>
        <source>a second softmax of scores, multiplying no values</source>
        <translation>对分数的第二次 softmax，没有与任何值相乘</translation>
    </message>
    <message>
        <source>attention outside the recorded model</source>
        <translation>位于所记录模型之外的注意力</translation>
    </message>
    <message>
        <source>the weights were not seen multiplying any values</source>
        <translation>没有看到权重与任何值相乘</translation>
    </message>
    <message>
        <source>a softmax that multiplies no values</source>
        <translation>没有与任何值相乘的 softmax</translation>
    </message>
    <message>
        <source>the softmax axis is not the axis summed over with the values</source>
        <translation>softmax 的轴不是与值相乘求和的轴</translation>
    </message>
    <message>
        <source>dropout sits between the scores and the softmax</source>
        <translation>dropout 位于分数与 softmax 之间</translation>
    </message>
    <message>
        <source>a ragged (nested) batch ran on torch's fast path, where nothing can be seen; pad the batch at recorded steps</source>
        <translation>不等长（nested）的批次走了 torch 的快速路径，其中什么也看不到；请在记录的步填充该批次</translation>
    </message>
    <message>
        <source>there is no room left on the disk for another frame</source>
        <translation>磁盘上已没有再存一帧的空间</translation>
    </message>
    <message>
        <source>recording ended: {reason}</source>
        <translation>记录已结束：{reason}</translation>
    </message>
    <message>
        <source>pictures of {size} came after {before}: those of another size or number are not stored</source>
        <translation>在 {before} 的图片之后来了 {size} 的图片：大小或数量不同的不予存储</translation>
    </message>
    <message>
        <source>{path} computes its attention in {pieces} pieces of its queries: they are stored as {layers} layers, from {first} to {last}, in order</source>
        <translation>{path} 把查询分成 {pieces} 段来计算注意力：依次存储为 {layers} 层，从 {first} 到 {last}</translation>
    </message>
    <message>
        <source>tokens are stored as ids: {error}</source>
        <translation>词元存储为 id：{error}</translation>
    </message>
    <message>
        <source>the loss is {loss}</source>
        <translation>损失为 {loss}</translation>
    </message>
    <message>
        <source>the loss jumped to {loss} where {expected} was expected</source>
        <translation>损失跳到 {loss}，而预期为 {expected}</translation>
    </message>
    <message>
        <source>{reason}: the last {steps} steps were written, and the next {more}</source>
        <translation>{reason}：写入了之前的 {steps} 步与之后的 {more} 步</translation>
    </message>
    <message>
        <source>{reason}, but no forward was seen to run again</source>
        <translation>{reason}，但没有看到可以重新运行的前向传播</translation>
    </message>
    <message>
        <source>{reason}: the forward of step {step} was run again</source>
        <translation>{reason}：重新运行了第 {step} 步的前向传播</translation>
    </message>
    <message>
        <source>{said}; {why}, it is stored</source>
        <translation>{said}；{why}，已存储它</translation>
    </message>
    <message>
        <source>{said}; {why}, but only {n} of them fit into memory</source>
        <translation>{said}；{why}，但内存只容得下其中 {n} 个</translation>
    </message>
    <message>
        <source>{said}; the parameters had already been updated, so it is not exact: call recorder.log(loss=...) before optimizer.step()</source>
        <translation>{said}；参数当时已更新，因此并不精确：请在 optimizer.step() 之前调用 recorder.log(loss=...)</translation>
    </message>
    <message>
        <source>{said}; run again it is finite: a compiled or fused kernel is then the suspect</source>
        <translation>{said}；重新运行时是有限值：可疑的是编译或融合的内核</translation>
    </message>
    <message>
        <source>a call was not remembered: {error}</source>
        <translation>有一次调用没有记住：{error}</translation>
    </message>
    <message>
        <source>log({name}=...) is not a single number and was left out</source>
        <translation>log({name}=...) 不是单个的数，已略去</translation>
    </message>
    <message>
        <source>asked for</source>
        <translation>应要求</translation>
    </message>
    <message>
        <source>reading an archive on another machine needs {library}, which is not installed; install it with: pip install "attn-debugger[remote]"</source>
        <translation>读取另一台机器上的存档需要 {library}，而它没有安装；请安装：pip install "attn-debugger[remote]"</translation>
    </message>
    <message>
        <source>the key of {place} ({fingerprint}) is not known here, so nothing was sent: type `{command}` in a terminal once, compare the fingerprint, answer yes, and open again</source>
        <translation>本机不认识 {place} 的密钥（{fingerprint}），因此没有发送任何内容：请在终端中输入一次 `{command}`，核对指纹，回答 yes，然后重新打开</translation>
    </message>
    <message>
        <source>{place} shows another key ({fingerprint}) than the one that is known here: somebody may be between you and the host, or it was set up anew. Nothing was sent; ask its administrator, then remove the old key with `ssh-keygen -R {host}`</source>
        <translation>{place} 出示的密钥（{fingerprint}）与本机所知的不同：可能有人介于您与主机之间，也可能主机是重新安装的。没有发送任何内容；请询问其管理员，然后用 `ssh-keygen -R {host}` 删除旧密钥</translation>
    </message>
    <message>
        <source>the key of a host on the way to {place} is not trusted</source>
        <translation>通往 {place} 途中某台主机的密钥不受信任</translation>
    </message>
    <message>
        <source>{place} cannot be reached: {reason}</source>
        <translation>无法连接 {place}：{reason}</translation>
    </message>
    <message>
        <source>connecting to {place} was stopped</source>
        <translation>与 {place} 的连接已停止</translation>
    </message>
    <message>
        <source>{place} did not let us in: no key of yours was accepted. See whether `{command}` works in a terminal; a key with a passphrase must be in the agent (`ssh-add`)</source>
        <translation>{place} 拒绝登录：您的密钥都未被接受。请看 `{command}` 在终端中是否可用；带口令的密钥必须放入代理（`ssh-add`）</translation>
    </message>
    <message>
        <source>your ssh configuration cannot be followed: {reason}</source>
        <translation>无法遵循您的 ssh 配置：{reason}</translation>
    </message>
    <message>
        <source>a key for {place} cannot be used ({reason}); where it has a passphrase, put it into the agent with `ssh-add`</source>
        <translation>{place} 的一个密钥无法使用（{reason}）；若它带有口令，请用 `ssh-add` 放入代理</translation>
    </message>
    <message>
        <source>there is no host {host} to be found; check the name, the network and the VPN</source>
        <translation>找不到主机 {host}；请检查名称、网络与 VPN</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>密码</translation>
    </message>
    <message>
        <source>{path} is not an HDF5 file; archives are written by record(model, 'run.h5').</source>
        <translation>{path} 不是 HDF5 文件；存档由 record(model, 'run.h5') 写成。</translation>
    </message>
    <message>
        <source>there is no connection to {place}</source>
        <translation>没有与 {place} 的连接</translation>
    </message>
    <message>
        <source>{path} was written to since it was opened; reload it to see it as it is now.</source>
        <translation>{path} 打开之后又被写入；请重新载入以查看现在的内容。</translation>
    </message>
    <message>
        <source>{place} lets us in but offers no file transfer (SFTP): {reason}</source>
        <translation>{place} 允许登录，但不提供文件传输（SFTP）：{reason}</translation>
    </message>
    <message>
        <source>{path} does not exist on {place}; check the path.</source>
        <translation>{place} 上不存在 {path}；请检查路径。</translation>
    </message>
    <message>
        <source>{path} may not be read on {place}.</source>
        <translation>没有读取 {place} 上 {path} 的权限。</translation>
    </message>
    <message>
        <source>{path} on {place} became shorter while it was read; reload it.</source>
        <translation>{place} 上的 {path} 在读取时变短了；请重新载入。</translation>
    </message>
    <message>
        <source>the connection to {place} is lost: {reason}</source>
        <translation>与 {place} 的连接中断：{reason}</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>put off</source>
        <translation>已推迟</translation>
    </message>
    <message>
        <source>the connection to {place} is lost: nothing came for {seconds} s</source>
        <translation>与 {place} 的连接中断：{seconds} 秒内没有收到任何内容</translation>
    </message>
    <message>
        <source>saved {frames} frames, steps {first} to {last}, of {n_layers} layers.</source>
        <translation>已挽救 {n_layers} 层的 {frames} 帧，第 {first} 步至第 {last} 步。</translation>
    </message>
    <message>
        <source>{target} is the archive itself; name another file for the copy.</source>
        <translation>{target} 就是存档本身；请为副本另取一个文件名。</translation>
    </message>
    <message>
        <source>{path}: {lost} of {rows} rows are lost.</source>
        <translation>{path}：{rows} 行中有 {lost} 行丢失。</translation>
    </message>
    <message>
        <source>{target} cannot be written: {error}</source>
        <translation>无法写入 {target}：{error}</translation>
    </message>
    <message>
        <source>{group} is lost: {error}</source>
        <translation>{group} 已丢失：{error}</translation>
    </message>
    <message>
        <source>{path} is lost: {error}</source>
        <translation>{path} 已丢失：{error}</translation>
    </message>
    <message>
        <source>the attributes of {path} are lost: {error}</source>
        <translation>{path} 的属性已丢失：{error}</translation>
    </message>
    <message>
        <source>{path} holds no frames yet; wait for the first recorded step, or check that the training loop enters recorder.step(step).</source>
        <translation>{path} 还没有任何帧；请等待第一个记录的步，或检查训练循环是否进入了 recorder.step(step)。</translation>
    </message>
    <message>
        <source>{path} has no frame that can be shown: {reasons}</source>
        <translation>{path} 没有可以显示的帧：{reasons}</translation>
    </message>
    <message>
        <source>layer {layer}: {problem}.</source>
        <translation>第 {layer} 层：{problem}。</translation>
    </message>
    <message>
        <source> It holds {found}.</source>
        <translation>它含有 {found}。</translation>
    </message>
    <message>
        <source> It holds no datasets.</source>
        <translation>它不含任何数据集。</translation>
    </message>
    <message>
        <source>{path} is an HDF5 file but not an archive of ours (no attribute format='{format}').{listed} `main.py import {file} -o RUN.h5` converts it.</source>
        <translation>{path} 是 HDF5 文件，但不是本程序的存档（没有属性 format='{format}'）。{listed}`main.py import {file} -o RUN.h5` 可以转换它。</translation>
    </message>
    <message>
        <source>{path} does not tell its format version; set the attribute version={version}.</source>
        <translation>{path} 没有说明其格式版本；请设置属性 version={version}。</translation>
    </message>
    <message>
        <source>{path} has format version {version:g}, this program reads up to {version_2}; update attn-debugger.</source>
        <translation>{path} 的格式版本为 {version:g}，本程序最多读到 {version_2}；请更新 attn-debugger。</translation>
    </message>
    <message>
        <source>{path} has the unknown format version {version:g}.</source>
        <translation>{path} 的格式版本 {version:g} 未知。</translation>
    </message>
    <message>
        <source>{path} has no dataset `{name}`, which says what frames there are; add one optimiser step a frame.</source>
        <translation>{path} 没有说明有哪些帧的数据集 `{name}`；请添加它，每帧一个优化步。</translation>
    </message>
    <message>
        <source>{path}: `{name}` has {axes} axes instead of one.</source>
        <translation>{path}：`{name}` 有 {axes} 个轴，而不是一个。</translation>
    </message>
    <message>
        <source>{path}: `{name}` holds numbers that are not whole.</source>
        <translation>{path}：`{name}` 中的数不是整数。</translation>
    </message>
    <message>
        <source>layers/ holds {names}, which is no layer number; ignored.</source>
        <translation>layers/ 中有 {names}，不是层号；忽略。</translation>
    </message>
    <message>
        <source>layers/{count} is missing; the layers numbered {next_layer} and up are not used.</source>
        <translation>缺少 layers/{count}；不使用编号为 {next_layer} 及以上的层。</translation>
    </message>
    <message>
        <source>{path} holds no layers; write layers/0/weights (frame, head, query, key).</source>
        <translation>{path} 没有任何层；请写入 layers/0/weights (frame, head, query, key)。</translation>
    </message>
    <message>
        <source>the steps of stream {stream!r} go back from {before} to {after}; frames are shown in the order in which they were recorded.</source>
        <translation>数据流 {stream!r} 的步从 {before} 退回到 {after}；各帧按记录的顺序显示。</translation>
    </message>
    <message>
        <source>{path} can no longer be read: {why}; what was read before stays on screen.</source>
        <translation>{path} 已无法继续读取：{why}；先前读取的内容仍保留在屏幕上。</translation>
    </message>
    <message>
        <source>{path} is being written: another window derives overviews of {archive} already.</source>
        <translation>正在写入 {path}：另一个窗口已在计算 {archive} 的概览。</translation>
    </message>
    <message>
        <source>{path} cannot be written: {error}</source>
        <translation>无法写入 {path}：{error}</translation>
    </message>
    <message>
        <source>{what} is too large for this machine's memory.</source>
        <translation>{what} 超出本机的内存。</translation>
    </message>
    <message>
        <source>{what} cannot be read: {why}</source>
        <translation>无法读取 {what}：{why}</translation>
    </message>
    <message>
        <source>{here} is a link to another file{where}, which is never followed; copy the data into the archive.</source>
        <translation>{here} 是指向另一个文件的链接{where}，本程序从不跟随；请把数据复制到存档中。</translation>
    </message>
    <message>
        <source>{path} declares {shape} values ({size:,} bytes) but the file holds only {stored:,} bytes of it; it is not read.</source>
        <translation>{path} 声明了 {shape} 个值（{size:,} 字节），但文件中只有其中的 {stored:,} 字节；不予读取。</translation>
    </message>
    <message>
        <source>{path} should be a group but is a dataset; it is ignored.</source>
        <translation>{path} 应是组，却是数据集；忽略。</translation>
    </message>
    <message>
        <source>the attributes of {path}</source>
        <translation>{path} 的属性</translation>
    </message>
    <message>
        <source>{path} should be a dataset but is a group; it is ignored.</source>
        <translation>{path} 应是数据集，却是组；忽略。</translation>
    </message>
    <message>
        <source>{path} holds nothing (an empty dataset).</source>
        <translation>{path} 中没有内容（空数据集）。</translation>
    </message>
    <message>
        <source>{here} is a link that leads back to itself.</source>
        <translation>{here} 是指回自身的链接。</translation>
    </message>
    <message>
        <source>{path} keeps its data in another file ({file}), which is never followed; copy the data into the archive.</source>
        <translation>{path} 的数据存放在另一个文件（{file}）中，本程序从不跟随；请把数据复制到存档中。</translation>
    </message>
    <message>
        <source>{path} is a virtual dataset of another file ({name}), which is not followed to another machine.</source>
        <translation>{path} 是另一个文件（{name}）的虚拟数据集，不会跟随到另一台机器。</translation>
    </message>
    <message>
        <source>{path} is a virtual dataset of a file in another folder ({file}), which is never followed.</source>
        <translation>{path} 是另一个文件夹中的文件（{file}）的虚拟数据集，本程序从不跟随。</translation>
    </message>
    <message>
        <source>{path} leads through {file} to other files.</source>
        <translation>{path} 经由 {file} 指向其他文件。</translation>
    </message>
    <message>
        <source>{path} lacks the column {columns}; it is ignored.</source>
        <translation>{path} 缺少列 {columns}；忽略。</translation>
    </message>
    <message>
        <source>{path} is no table with the columns {columns}; ignored.</source>
        <translation>{path} 不是带有列 {columns} 的表；忽略。</translation>
    </message>
    <message>
        <source>{path} holds steps that are not whole numbers; it is ignored.</source>
        <translation>{path} 中的步不是整数；忽略。</translation>
    </message>
    <message>
        <source>{path} has {axes} axes; (position,) or (frame, sample, position) was expected; it is ignored.</source>
        <translation>{path} 有 {axes} 个轴；应为 (position,) 或 (frame, sample, position)；忽略。</translation>
    </message>
    <message>
        <source>{path} has {columns} entries for {longest} positions; it is ignored.</source>
        <translation>{path} 对 {longest} 个位置只有 {columns} 项；忽略。</translation>
    </message>
    <message>
        <source>{path} holds text where numbers belong; it is ignored.</source>
        <translation>{path} 在应为数的地方是文本；忽略。</translation>
    </message>
    <message>
        <source>numbers</source>
        <translation>数</translation>
    </message>
    <message>
        <source>{path} has type {dtype} where {wanted} belong; it is ignored.</source>
        <translation>{path} 的类型为 {dtype}，而应为{wanted}；忽略。</translation>
    </message>
    <message>
        <source>the disk is full; free some space and append with mode='append'.</source>
        <translation>磁盘已满；请腾出空间，并用 mode='append' 继续。</translation>
    </message>
    <message>
        <source>dtype={dtype!r} cannot be written; use float16 or float32.</source>
        <translation>无法写入 dtype={dtype!r}；请使用 float16 或 float32。</translation>
    </message>
    <message>
        <source>mode={mode!r} is unknown; use 'create' or 'append'.</source>
        <translation>mode={mode!r} 未知；请使用 'create' 或 'append'。</translation>
    </message>
    <message>
        <source>open it for writing</source>
        <translation>打开以写入</translation>
    </message>
    <message>
        <source>add a layer</source>
        <translation>添加层</translation>
    </message>
    <message>
        <source>{path}: a frame of {came} layers came, but only {declared} were declared; call add_layers first.</source>
        <translation>{path}：收到一个有 {came} 层的帧，但只声明了 {declared} 层；请先调用 add_layers。</translation>
    </message>
    <message>
        <source>write frame {index} (step {step})</source>
        <translation>写入第 {index} 帧（第 {step} 步）</translation>
    </message>
    <message>
        <source>flush it</source>
        <translation>刷新到磁盘</translation>
    </message>
    <message>
        <source>write an event</source>
        <translation>写入事件</translation>
    </message>
    <message>
        <source>list a checkpoint</source>
        <translation>登记检查点</translation>
    </message>
    <message>
        <source>write down the crash</source>
        <translation>记下崩溃</translation>
    </message>
    <message>
        <source>set attributes</source>
        <translation>设置属性</translation>
    </message>
    <message>
        <source>close it</source>
        <translation>关闭文件</translation>
    </message>
    <message>
        <source>{path}: cannot {doing}: the recording has ended.</source>
        <translation>{path}：无法{doing}：记录已经结束。</translation>
    </message>
    <message>
        <source>{path}: another process is writing this archive; wait for it, or record into another file.</source>
        <translation>{path}：另一个进程正在写入该存档；请等待，或记录到另一个文件。</translation>
    </message>
    <message>
        <source>the file is gone; it was deleted or renamed while it was written</source>
        <translation>文件已不存在；它在写入期间被删除或改名</translation>
    </message>
    <message>
        <source>the folder does not exist; create it first</source>
        <translation>文件夹不存在；请先创建</translation>
    </message>
    <message>
        <source>{path}: cannot {doing}: {reason}.</source>
        <translation>{path}：无法{doing}：{reason}。</translation>
    </message>
    <message>
        <source>{path}: cannot {doing}: no permission; choose a folder you may write to.</source>
        <translation>{path}：无法{doing}：没有权限；请选择您可以写入的文件夹。</translation>
    </message>
    <message>
        <source>{path}: cannot {doing}: {error}</source>
        <translation>{path}：无法{doing}：{error}</translation>
    </message>
    <message>
        <source>write the scalars of step {step}</source>
        <translation>写入第 {step} 步的标量</translation>
    </message>
    <message>
        <source>no check could be run: {reason}</source>
        <translation>没有任何检查可以运行：{reason}</translation>
    </message>
    <message>
        <source>there is not enough memory to compare these two runs</source>
        <translation>内存不足以比较这两次运行</translation>
    </message>
    <message>
        <source>{path} exists already; name a new archive</source>
        <translation>{path} 已存在；请为存档另取一个名称</translation>
    </message>
    <message>
        <source>import takes one HDF5 file at a time</source>
        <translation>每次只能导入一个 HDF5 文件</translation>
    </message>
    <message>
        <source>--dataset is for a foreign HDF5 file</source>
        <translation>--dataset 只用于其他布局的 HDF5 文件</translation>
    </message>
    <message>
        <source>--attr {text}: write it as name=value, e.g. causal=True</source>
        <translation>--attr {text}：请写作 name=value，例如 causal=True</translation>
    </message>
    <message>
        <source>--{option} is for .pt, .npy and .npz dumps</source>
        <translation>--{option} 只用于 .pt、.npy 与 .npz 转储</translation>
    </message>
    <message>
        <source>{path}: expected a JSON list of strings</source>
        <translation>{path}：应为由字符串组成的 JSON 列表</translation>
    </message>
    <message>
        <source>{path}: no array can be read from it ({error})</source>
        <translation>{path}：无法从中读取数组（{error}）</translation>
    </message>
    <message>
        <source>{path}: no JSON ({error})</source>
        <translation>{path}：不是 JSON（{error}）</translation>
    </message>
    <message>
        <source>{path}: expected a CSV file with the columns step and loss, found {found}</source>
        <translation>{path}：应为带有 step 与 loss 两列的 CSV 文件，实际为 {found}</translation>
    </message>
    <message>
        <source>{path} holds no .pt, .npy or .npz files</source>
        <translation>{path} 中没有 .pt、.npy 或 .npz 文件</translation>
    </message>
    <message>
        <source>{path} does not exist</source>
        <translation>{path} 不存在</translation>
    </message>
    <message>
        <source>{count} files, steps {first} to {last}</source>
        <translation>{count} 个文件，第 {first} 步至第 {last} 步</translation>
    </message>
    <message>
        <source>“{text}” is no address: write ssh://user@host/path/run.h5</source>
        <translation>“{text}”不是地址：请写作 ssh://user@host/path/run.h5</translation>
    </message>
    <message>
        <source>a password does not belong into an address, which is kept in the list of recent files; leave it out and it will be asked for where one is needed</source>
        <translation>密码不应写在地址中，因为地址会保存在最近文件的列表里；请去掉它，需要时程序会询问</translation>
    </message>
    <message>
        <source>“{text}” lacks a host or a path: write ssh://user@host/path/run.h5</source>
        <translation>“{text}”缺少主机或路径：请写作 ssh://user@host/path/run.h5</translation>
    </message>
    <message>
        <source>“{text}” cannot be understood: write ssh://user@host:22/path/run.h5</source>
        <translation>无法理解“{text}”：请写作 ssh://user@host:22/path/run.h5</translation>
    </message>
    <message>
        <source>it is not a file of notes</source>
        <translation>它不是笔记文件</translation>
    </message>
    <message>
        <source>its version is {version!r}, this program reads up to {known}</source>
        <translation>其版本为 {version!r}，本程序最多读到 {known}</translation>
    </message>
    <message>
        <source>it is not valid JSON ({error})</source>
        <translation>它不是有效的 JSON（{error}）</translation>
    </message>
    <message>
        <source>A healthy character model</source>
        <translation>健康的字符模型</translation>
    </message>
    <message>
        <source>learns Python's own source; previous-token heads form before your eyes</source>
        <translation>学习 Python 自身的源代码；前一词元头在您眼前形成</translation>
    </message>
    <message>
        <source>An induction head forms</source>
        <translation>归纳头的形成</translation>
    </message>
    <message>
        <source>two layers on repeated sequences: a previous-token head, then an induction head</source>
        <translation>在重复序列上训练的两层：先有前一词元头，再有归纳头</translation>
    </message>
    <message>
        <source>Every token attends to itself</source>
        <translation>每个词元只关注自己</translation>
    </message>
    <message>
        <source>keys made with the query projection and an init too large: identity attention</source>
        <translation>用查询的投影来计算键，且初始值过大：恒等的注意力</translation>
    </message>
    <message>
        <source>The division by sqrt(d) was forgotten</source>
        <translation>忘记了除以 sqrt(d)</translation>
    </message>
    <message>
        <source>scores are 8 times too large, attention is nearly one-hot and learns slowly</source>
        <translation>分数大了 8 倍，注意力接近 one-hot，学得很慢</translation>
    </message>
    <message>
        <source>Scores grow until float16 overflows</source>
        <translation>分数增长到 float16 溢出</translation>
    </message>
    <message>
        <source>half precision, learning rate far too high, no warm-up: logits grow until NaN</source>
        <translation>半精度、学习率过高、没有预热：logits 增长直到 NaN</translation>
    </message>
    <message>
        <source>The padding mask was forgotten</source>
        <translation>忘记了填充掩码</translation>
    </message>
    <message>
        <source>accuracy looks normal; only the attention shows that padding is read</source>
        <translation>准确率看起来正常；只有注意力显示出填充被读取</translation>
    </message>
    <message>
        <source>A language model that sees the future</source>
        <translation>看得到未来的语言模型</translation>
    </message>
    <message>
        <source>no causal mask: the loss is suspiciously good, the upper triangle is lit</source>
        <translation>没有因果掩码：损失好得可疑，上三角是亮的</translation>
    </message>
    <message>
        <source>Left padding under a causal mask</source>
        <translation>因果掩码下的左侧填充</translation>
    </message>
    <message>
        <source>rows of padding see nothing at all: softmax of -inf is NaN, and NaN spreads</source>
        <translation>填充的行什么也看不到：-inf 的 softmax 是 NaN，而 NaN 会扩散</translation>
    </message>
    <message>
        <source>Attention that cannot tell order</source>
        <translation>分不清次序的注意力</translation>
    </message>
    <message>
        <source>no position encoding: equal letters get equal weight wherever they stand</source>
        <translation>没有位置编码：相同的字母无论在何处都得到相同的权重</translation>
    </message>
    <message>
        <source>recorded</source>
        <translation>已记录</translation>
    </message>
    <message>
        <source>loss {value:.2f}</source>
        <translation>损失 {value:.2f}</translation>
    </message>
    <message>
        <source>there is not enough memory for this checkpoint</source>
        <translation>内存不足以处理该检查点</translation>
    </message>
    <message>
        <source>{path}: no output projection was recognised</source>
        <translation>{path}：没有识别出输出投影</translation>
    </message>
    <message>
        <source>no output projection was recognised beside the attention, so no head can be silenced</source>
        <translation>在注意力旁没有识别出输出投影，因此无法使任何头静默</translation>
    </message>
    <message>
        <source>layers share an output projection: a head is silenced in all of them</source>
        <translation>有些层共用一个输出投影：静默一个头时，这些层中的该头一并静默</translation>
    </message>
    <message>
        <source>the model has no head {head} in layer {layer}: it attends {n} times</source>
        <translation>模型在第 {layer} 层没有头 {head}：它共计算 {n} 次注意力</translation>
    </message>
    <message>
        <source>{path} head {head}</source>
        <translation>{path} 头 {head}</translation>
    </message>
    <message>
        <source>tokens in another order get other scores</source>
        <translation>次序不同的词元得到不同的分数</translation>
    </message>
    <message>
        <source>q.k / sqrt(d_head)</source>
        <translation>q.k / sqrt(d_head)</translation>
    </message>
    <message>
        <source>q.k times {declared:.3g}</source>
        <translation>q.k 乘以 {declared:.3g}</translation>
    </message>
    <message>
        <source>scores of {compared} layers are {meant}</source>
        <translation>{compared} 层的分数等于 {meant}</translation>
    </message>
    <message>
        <source>{rows} rows sum to one within {worst:.1g}</source>
        <translation>{rows} 行的和为一，误差不超过 {worst:.1g}</translation>
    </message>
    <message>
        <source>with the tokens in another order, the scores of {blind} are the same in that order: positions do not reach the attention</source>
        <translation>把词元换一种次序，{blind} 的分数随之同样换序：位置信息没有进入注意力</translation>
    </message>
    <message>
        <source>no self-attention of this model could be captured</source>
        <translation>无法捕获该模型的自注意力</translation>
    </message>
    <message>
        <source>no layer shows scores that are a multiple of q.k</source>
        <translation>没有一层的分数是 q.k 的倍数</translation>
    </message>
    <message>
        <source>, and {count} more layers</source>
        <translation>，以及另外 {count} 层</translation>
    </message>
    <message>
        <source>no attention of this model could be captured</source>
        <translation>无法捕获该模型的注意力</translation>
    </message>
    <message>
        <source>hold NaN</source>
        <translation>含有 NaN</translation>
    </message>
    <message>
        <source>are off by up to {worst:.3g}</source>
        <translation>最多相差 {worst:.3g}</translation>
    </message>
    <message>
        <source>rows of {place} do not sum to one: they {said}</source>
        <translation>{place} 的行和不为一：{said}</translation>
    </message>
    <message>
        <source>part of the attention could not be captured</source>
        <translation>有一部分注意力无法捕获</translation>
    </message>
    <message>
        <source>scores are not finite</source>
        <translation>分数不是有限值</translation>
    </message>
    <message>
        <source>{path}: scores are {factor:.3g} times {meant}</source>
        <translation>{path}：分数是 {meant} 的 {factor:.3g} 倍</translation>
    </message>
    <message>
        <source> (the division by sqrt({d_head}) is missing)</source>
        <translation>（缺少除以 sqrt({d_head})）</translation>
    </message>
    <message>
        <source>this model came without an encoder for text: let its factory return facts with 'encode', a function from a text to token ids, or give --batch</source>
        <translation>该模型没有附带文本编码器：请让其工厂函数返回带有 'encode'（由文本得到词元 id 的函数）的 facts，或给出 --batch</translation>
    </message>
    <message>
        <source>token id {id} is outside the model's vocabulary of {n} (ids 0 to {last}): are these the tokens of this model?</source>
        <translation>词元 id {id} 超出模型大小为 {n} 的词表（id 为 0 至 {last}）：这些是该模型的词元吗？</translation>
    </message>
    <message>
        <source>token ids must be whole numbers: a list, or a list of equal lists</source>
        <translation>词元 id 必须是整数：一个列表，或由等长列表组成的列表</translation>
    </message>
    <message>
        <source>{path}: refused: this batch is a pickle of more than tensors; save a mapping of names to tensors</source>
        <translation>{path}：已拒绝：该批次是含有张量以外内容的 pickle；请保存由名称到张量的映射</translation>
    </message>
    <message>
        <source>{path}: no batch can be read from it ({error!r})</source>
        <translation>{path}：无法从中读取批次（{error!r}）</translation>
    </message>
    <message>
        <source>the text could not be encoded: {kind}: {error}</source>
        <translation>无法编码该文本：{kind}：{error}</translation>
    </message>
    <message>
        <source>token ids must be whole numbers, in rows of equal length</source>
        <translation>词元 id 必须是整数，且各行等长</translation>
    </message>
    <message>
        <source>the input has {n} tokens, and the position table {name} holds {length}: give a shorter one</source>
        <translation>输入有 {n} 个词元，而位置表 {name} 只有 {length} 个：请给出更短的输入</translation>
    </message>
    <message>
        <source>{share:.2%} of their spread</source>
        <translation>其离散程度的 {share:.2%}</translation>
    </message>
    <message>
        <source>{share:.0f} times their spread</source>
        <translation>其离散程度的 {share:.0f} 倍</translation>
    </message>
    <message>
        <source>heads divide the width</source>
        <translation>头数整除宽度</translation>
    </message>
    <message>
        <source>query and key agree</source>
        <translation>查询与键一致</translation>
    </message>
    <message>
        <source>position table long enough</source>
        <translation>位置表足够长</translation>
    </message>
    <message>
        <source>query and key differ</source>
        <translation>查询与键不同</translation>
    </message>
    <message>
        <source> (unknown for {count})</source>
        <translation>（{count} 个未知）</translation>
    </message>
    <message>
        <source>{said} heads in {count} attention modules{unknown}</source>
        <translation>{count} 个注意力模块中有 {said} 个头{unknown}</translation>
    </message>
    <message>
        <source>finite parameters</source>
        <translation>参数为有限值</translation>
    </message>
    <message>
        <source>no NaN, no infinity</source>
        <translation>没有 NaN，没有无穷</translation>
    </message>
    <message>
        <source>no matrix is all zero</source>
        <translation>没有全为零的矩阵</translation>
    </message>
    <message>
        <source>every weight matrix has entries</source>
        <translation>每个权重矩阵都有非零项</translation>
    </message>
    <message>
        <source>trace / nuclear norm of W_q^T W_k below 1 in every head</source>
        <translation>W_q^T W_k 的迹与核范数之比在每个头中都小于 1</translation>
    </message>
    <message>
        <source>grouped queries</source>
        <translation>分组查询</translation>
    </message>
    <message>
        <source>same width everywhere</source>
        <translation>各处宽度相同</translation>
    </message>
    <message>
        <source>{length} positions, {longest} tokens recorded</source>
        <translation>{length} 个位置，记录了 {longest} 个词元</translation>
    </message>
    <message>
        <source>one dtype</source>
        <translation>单一的数据类型</translation>
    </message>
    <message>
        <source>no attention module was found</source>
        <translation>没有找到注意力模块</translation>
    </message>
    <message>
        <source>the weights do not tell the number of heads; attach the archive or a config</source>
        <translation>参数权重没有说明头数；请附上存档或配置</translation>
    </message>
    <message>
        <source>{path}: {rows} / {heads}</source>
        <translation>{path}：{rows} / {heads}</translation>
    </message>
    <message>
        <source>no separate query and key could be told apart</source>
        <translation>无法分开查询与键</translation>
    </message>
    <message>
        <source>{path}: query {query_rows} rows, key {key_rows}</source>
        <translation>{path}：查询 {query_rows} 行，键 {key_rows} 行</translation>
    </message>
    <message>
        <source>no position table in the weights (rotary, ALiBi, fixed, or none)</source>
        <translation>参数权重中没有位置表（旋转、ALiBi、固定，或没有）</translation>
    </message>
    <message>
        <source>{key} holds {length} positions; attach an archive to compare</source>
        <translation>{key} 有 {length} 个位置；请附上存档以便比较</translation>
    </message>
    <message>
        <source>{key} holds {length} positions, the archive has {longest} tokens</source>
        <translation>{key} 有 {length} 个位置，而存档有 {longest} 个词元</translation>
    </message>
    <message>
        <source>tensors mix {said}</source>
        <translation>张量的类型混杂：{said}</translation>
    </message>
    <message>
        <source>no floating-point tensors</source>
        <translation>没有浮点张量</translation>
    </message>
    <message>
        <source>needs the number of heads and finite weights</source>
        <translation>需要头数与有限的参数权重</translation>
    </message>
    <message>
        <source>{path}: shards of this checkpoint are missing or damaged ({error})</source>
        <translation>{path}：该检查点的分片缺失或损坏（{error}）</translation>
    </message>
    <message>
        <source>{path}: this checkpoint cannot be read ({error})</source>
        <translation>{path}：无法读取该检查点（{error}）</translation>
    </message>
    <message>
        <source>{path}: refused: its .metadata asks for {error}, which could run code</source>
        <translation>{path}：已拒绝：其 .metadata 要求 {error}，这可能会执行代码</translation>
    </message>
    <message>
        <source>{named} is off by {error:.2g} of the outputs, {allowed:.2g} is its resolution</source>
        <translation>{named} 与输出相差 {error:.2g}，其分辨率为 {allowed:.2g}</translation>
    </message>
    <message>
        <source>order</source>
        <translation>顺序</translation>
    </message>
    <message>
        <source>row_sums</source>
        <translation>行和</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>批次</translation>
    </message>
    <message>
        <source>precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>needs a model with float32 parameters</source>
        <translation>需要参数为 float32 的模型</translation>
    </message>
    <message>
        <source>q.k reaches {reached:.3g} before it is scaled; float16 holds {limit:.0f}</source>
        <translation>q.k 在缩放之前达到 {reached:.3g}；float16 最大为 {limit:.0f}</translation>
    </message>
    <message>
        <source>outputs are finite in float32 and NaN or infinite in {named}</source>
        <translation>输出在 float32 下为有限值，在 {named} 下为 NaN 或无穷</translation>
    </message>
    <message>
        <source>the model raised {kind}: {error}</source>
        <translation>模型抛出 {kind}：{error}</translation>
    </message>
    <message>
        <source>{path}: an exported program without a table of weights</source>
        <translation>{path}：没有权重表的导出程序</translation>
    </message>
    <message>
        <source>{name} is cut short</source>
        <translation>{name} 被截断</translation>
    </message>
    <message>
        <source>{path}: the weights of this exported program cannot be read ({error}); save model.state_dict() instead</source>
        <translation>{path}：无法读取该导出程序的权重（{error}）；请改为保存 model.state_dict()</translation>
    </message>
    <message>
        <source>state dict (.pt)</source>
        <translation>state dict（.pt）</translation>
    </message>
    <message>
        <source>Lightning checkpoint (.ckpt)</source>
        <translation>Lightning 检查点（.ckpt）</translation>
    </message>
    <message>
        <source>Hugging Face folder</source>
        <translation>Hugging Face 文件夹</translation>
    </message>
    <message>
        <source>distributed checkpoint (DCP)</source>
        <translation>分布式检查点（DCP）</translation>
    </message>
    <message>
        <source>torch.export program (.pt2)</source>
        <translation>torch.export 程序（.pt2）</translation>
    </message>
    <message>
        <source>{path}: a folder without weights (*.safetensors, pytorch_model*.bin or .metadata); name the checkpoint itself</source>
        <translation>{path}：没有权重的文件夹（*.safetensors、pytorch_model*.bin 或 .metadata）；请直接指明检查点</translation>
    </message>
    <message>
        <source>{path}: not a checkpoint we know (state dict, safetensors, Hugging Face folder, distributed checkpoint, .pt2)</source>
        <translation>{path}：不是已知的检查点（state dict、safetensors、Hugging Face 文件夹、分布式检查点、.pt2）</translation>
    </message>
    <message>
        <source>{path}: the file is empty; was it still being written?</source>
        <translation>{path}：文件是空的；是否仍在写入？</translation>
    </message>
    <message>
        <source>{path}: a TorchScript program, which would have to be run; save model.state_dict() instead</source>
        <translation>{path}：TorchScript 程序必须运行才能读取；请改为保存 model.state_dict()</translation>
    </message>
    <message>
        <source>{path}: a zip file without PyTorch weights in it</source>
        <translation>{path}：其中没有 PyTorch 权重的 zip 文件</translation>
    </message>
    <message>
        <source>{path}: {reason}; name a checkpoint file or folder</source>
        <translation>{path}：{reason}；请指明检查点的文件或文件夹</translation>
    </message>
    <message>
        <source>{path}: the file is cut short or damaged; save the checkpoint again</source>
        <translation>{path}：文件被截断或已损坏；请重新保存检查点</translation>
    </message>
    <message>
        <source>{leaf} gives the width of a head</source>
        <translation>{leaf} 给出了一个头的宽度</translation>
    </message>
    <message>
        <source>shape of the projections</source>
        <translation>投影的形状</translation>
    </message>
    <message>
        <source>{leaf} has a column for each head</source>
        <translation>{leaf} 为每个头各有一列</translation>
    </message>
    <message>
        <source>sinks has an entry for each head</source>
        <translation>sinks 为每个头各有一项</translation>
    </message>
    <message>
        <source>relative_attention_bias of the first layer</source>
        <translation>第一层的 relative_attention_bias</translation>
    </message>
    <message>
        <source>{folder}: running a Hugging Face folder needs the package transformers; install it, or name a factory as package.module:function</source>
        <translation>{folder}：运行 Hugging Face 文件夹需要软件包 transformers；请安装它，或以 package.module:function 指明工厂函数</translation>
    </message>
    <message>
        <source>{folder}: transformers cannot make this model ({error!r})</source>
        <translation>{folder}：transformers 无法创建该模型（{error!r}）</translation>
    </message>
    <message>
        <source>the model's forward takes no arguments</source>
        <translation>模型的 forward 不接受任何参数</translation>
    </message>
    <message>
        <source>the batch is a {kind}; give token ids (sample, position) or a mapping of the model's keyword arguments</source>
        <translation>该批次是 {kind}；请给出词元 id (sample, position)，或模型关键字参数的映射</translation>
    </message>
    <message>
        <source>the batch holds no token ids: an integer tensor (sample, position)</source>
        <translation>该批次不含词元 id：应为整数张量 (sample, position)</translation>
    </message>
    <message>
        <source>the model returned nothing that holds floating-point numbers</source>
        <translation>模型返回的内容不含浮点数</translation>
    </message>
    <message>
        <source>{path}: holds weights without the code that runs them; name a factory as package.module:function and give this file as its checkpoint</source>
        <translation>{path}：只有权重而没有运行它的代码；请以 package.module:function 指明工厂函数，并把该文件作为其检查点</translation>
    </message>
    <message>
        <source>a {kind}</source>
        <translation>{kind} 类型的对象</translation>
    </message>
    <message>
        <source>{name} is {shape} in the checkpoint and {own} in the model</source>
        <translation>{name} 在检查点中为 {shape}，在模型中为 {own}</translation>
    </message>
    <message>
        <source>{shown} and {rest} more</source>
        <translation>{shown}，另有 {rest} 项</translation>
    </message>
    <message>
        <source>no batch was given: random token ids are used</source>
        <translation>没有给出批次：使用随机的词元 id</translation>
    </message>
    <message>
        <source>there is no batch to run: let the factory return (model, batch), give token ids, or attach an archive that holds token ids</source>
        <translation>没有可运行的批次：请让工厂函数返回 (model, batch)，给出词元 id，或附上含有词元 id 的存档</translation>
    </message>
    <message>
        <source>{factory!r}: name a factory as package.module:function</source>
        <translation>{factory!r}：请以 package.module:function 指明工厂函数</translation>
    </message>
    <message>
        <source>{factory}: a factory is code that will be run; agree to it with --trust-code</source>
        <translation>{factory}：工厂函数是将被执行的代码；请用 --trust-code 表示同意</translation>
    </message>
    <message>
        <source>{factory} returned {kinds}; it must return a torch.nn.Module, (model, batch) or (model, batch, facts)</source>
        <translation>{factory} 返回了 {kinds}；它必须返回 torch.nn.Module、(model, batch) 或 (model, batch, facts)</translation>
    </message>
    <message>
        <source>{checkpoint}: the checkpoint is of another model: {wrong}</source>
        <translation>{checkpoint}：该检查点属于另一个模型：{wrong}</translation>
    </message>
    <message>
        <source>{checkpoint}: the checkpoint is of another model: no parameter has the same name (it has {theirs}, the model {ours})</source>
        <translation>{checkpoint}：该检查点属于另一个模型：没有同名的参数（检查点有 {theirs}，模型有 {ours}）</translation>
    </message>
    <message>
        <source>{checkpoint} lacks {names}: they keep the factory's values</source>
        <translation>{checkpoint} 缺少 {names}：它们保留工厂函数给出的值</translation>
    </message>
    <message>
        <source>{checkpoint} also holds {names}, which the model does not have</source>
        <translation>{checkpoint} 还含有模型所没有的 {names}</translation>
    </message>
    <message>
        <source>{factory} failed: {kind}: {error}</source>
        <translation>{factory} 失败：{kind}：{error}</translation>
    </message>
    <message>
        <source>{path} cannot be unpickled: {kind}: {error}</source>
        <translation>{path} 无法反序列化（unpickle）：{kind}：{error}</translation>
    </message>
    <message>
        <source>{error}; or agree to run its code with --trust-code</source>
        <translation>{error}；或用 --trust-code 同意运行其代码</translation>
    </message>
    <message>
        <source>its forward</source>
        <translation>它的 forward</translation>
    </message>
    <message>
        <source>{path}: refused: this pickle asks for {wanted}, and reading it could run code; save model.state_dict() instead of the whole model</source>
        <translation>{path}：已拒绝：该 pickle 要求 {wanted}，读取它可能会执行代码；请保存 model.state_dict() 而不是整个模型</translation>
    </message>
    <message>
        <source>{path}: not a plain state dict, or damaged; nothing in it was run. Save model.state_dict() again</source>
        <translation>{path}：不是普通的 state dict，或已损坏；其中的任何内容都没有执行。请重新保存 model.state_dict()</translation>
    </message>
    <message>
        <source>{path}: there are no tensors in this checkpoint</source>
        <translation>{path}：该检查点中没有张量</translation>
    </message>
    <message>
        <source>{path}: holds a {kind}, not a state dict; save model.state_dict()</source>
        <translation>{path}：含有 {kind}，而不是 state dict；请保存 model.state_dict()</translation>
    </message>
    <message>
        <source>{path}: {count} of its files are missing ({names}); copy the whole folder</source>
        <translation>{path}：缺少 {count} 个文件（{names}）；请复制整个文件夹</translation>
    </message>
    <message>
        <source>{index}: the table of shards is damaged; copy it again</source>
        <translation>{index}：分片表已损坏；请重新复制</translation>
    </message>
    <message>
        <source>{path}: there is not enough memory for this checkpoint</source>
        <translation>{path}：内存不足以处理该检查点</translation>
    </message>
    <message>
        <source>archive layer {layer} ({name}) runs on the weights of an earlier layer</source>
        <translation>存档的第 {layer} 层（{name}）使用了更早一层的权重</translation>
    </message>
    <message>
        <source>archive layer {index} ({name}) has no attention module in the checkpoint</source>
        <translation>存档的第 {index} 层（{name}）在检查点中没有注意力模块</translation>
    </message>
    <message>
        <source>{path} was not recorded in the archive</source>
        <translation>{path} 没有记录在存档中</translation>
    </message>
    <message>
        <source>{count} layers were matched by their order, because their names differ</source>
        <translation>因名称不同，{count} 层按次序匹配</translation>
    </message>
    <message>
        <source>the root</source>
        <translation>根模块</translation>
    </message>
    <message>
        <source>the model's outputs are not finite already: nothing can be compared</source>
        <translation>模型的输出本身已不是有限值：无法比较</translation>
    </message>
    <message>
        <source>next-token loss</source>
        <translation>下一词元的损失</translation>
    </message>
    <message>
        <source>change of the outputs</source>
        <translation>输出的改变</translation>
    </message>
    <message>
        <source>of their norm</source>
        <translation>（占其范数）</translation>
    </message>
    <message>
        <source>the factory's loss failed: {kind}: {error}</source>
        <translation>工厂函数的 loss 失败：{kind}：{error}</translation>
    </message>
    <message>
        <source>attention mass alone is not reliance: compare it with the change it makes</source>
        <translation>仅凭注意力的质量不等于依赖：请与它造成的改变比较</translation>
    </message>
    <message>
        <source>token {token}</source>
        <translation>词元 {token}</translation>
    </message>
    <message>
        <source>nothing: hidden from attention</source>
        <translation>无：对注意力隐藏</translation>
    </message>
    <message>
        <source>other tokens of the batch</source>
        <translation>该批次的其他词元</translation>
    </message>
    <message>
        <source>the model takes no padding mask, so no token can be hidden from its attention; replace it instead</source>
        <translation>模型不接受填充掩码，因此无法对其注意力隐藏词元；请改为替换</translation>
    </message>
    <message>
        <source>the batch has no sample {sample}: samples are 0 to {last}</source>
        <translation>该批次没有样本 {sample}：样本为 0 至 {last}</translation>
    </message>
    <message>
        <source>there is no span {wrong}: positions are 0 to {last}</source>
        <translation>没有区间 {wrong}：位置为 0 至 {last}</translation>
    </message>
    <message>
        <source>other tokens {where}from position {cut} on change earlier outputs by {change}</source>
        <translation>从位置 {cut} 起更换{where}词元，使更早的输出改变 {change}</translation>
    </message>
    <message>
        <source>other tokens in the padding change nothing</source>
        <translation>更换填充中的词元不会改变任何结果</translation>
    </message>
    <message>
        <source>of the decoder </source>
        <translation>解码器的</translation>
    </message>
    <message>
        <source>a sample's output does not depend on its neighbours</source>
        <translation>一个样本的输出不受同批其他样本影响</translation>
    </message>
    <message>
        <source>two runs in eval mode agree</source>
        <translation>在 eval 模式下运行两次，结果一致</translation>
    </message>
    <message>
        <source>the model takes no padding mask</source>
        <translation>模型不接受填充掩码</translation>
    </message>
    <message>
        <source>with padding, {share:.0%} of the outputs of real tokens are not finite</source>
        <translation>有填充时，真实词元的输出有 {share:.0%} 不是有限值</translation>
    </message>
    <message>
        <source>other tokens in the padding change the outputs of real tokens by {change}</source>
        <translation>更换填充中的词元，使真实词元的输出改变 {change}</translation>
    </message>
    <message>
        <source>the model is declared to look both ways</source>
        <translation>模型声明为双向可见</translation>
    </message>
    <message>
        <source>the model gives one answer a sequence, not one a token</source>
        <translation>模型对每个序列只给出一个答案，而不是每个词元一个</translation>
    </message>
    <message>
        <source>other tokens {where}in the future change nothing in the past</source>
        <translation>更换未来的{where}词元不会改变过去的任何结果</translation>
    </message>
    <message>
        <source>{evidence}; whether they should is not declared (causal)</source>
        <translation>{evidence}；没有声明是否应当如此（causal）</translation>
    </message>
    <message>
        <source>its neighbours change a sample's output by {change}</source>
        <translation>同批的其他样本使一个样本的输出改变 {change}</translation>
    </message>
    <message>
        <source>two runs in eval mode differ by {change}</source>
        <translation>在 eval 模式下运行两次，结果相差 {change}</translation>
    </message>
    <message>
        <source>{words}: {before:.3g} before, {after:.3g} after {steps} steps of Adam at {rate:g}{bound}</source>
        <translation>{words}：之前为 {before:.3g}，以学习率 {rate:g} 的 Adam 训练 {steps} 步之后为 {after:.3g}{bound}</translation>
    </message>
    <message>
        <source>1 sample</source>
        <translation>1 个样本</translation>
    </message>
    <message>
        <source>{n} samples</source>
        <translation>{n} 个样本</translation>
    </message>
    <message>
        <source>{words} of {of}</source>
        <translation>{of}的{words}</translation>
    </message>
    <message>
        <source> ({floor:.3g} is the least these samples allow)</source>
        <translation>（这些样本所允许的最小值为 {floor:.3g}）</translation>
    </message>
    <message>
        <source>{said}; the time was up before it had stopped falling</source>
        <translation>{said}；时间用尽时它仍在下降</translation>
    </message>
    <message>
        <source>loss against random classes</source>
        <translation>对随机类别的损失</translation>
    </message>
    <message>
        <source>there is not enough memory to train a copy of the model</source>
        <translation>内存不足以训练该模型的副本</translation>
    </message>
    <message>
        <source>training raised {kind}: {error}</source>
        <translation>训练时抛出 {kind}：{error}</translation>
    </message>
    <message>
        <source>{said}: it does not learn them</source>
        <translation>{said}：它学不会这些样本</translation>
    </message>
    <message>
        <source>no parameter of the model is trainable</source>
        <translation>模型没有可训练的参数</translation>
    </message>
    <message>
        <source>the factory's loss</source>
        <translation>工厂函数的损失</translation>
    </message>
    <message>
        <source>the model gives one number a sample: its loss is not known</source>
        <translation>模型对每个样本只给出一个数：不知道它的损失</translation>
    </message>
    <message>
        <source>the factory's loss returns no tensor with one number</source>
        <translation>工厂函数的 loss 没有返回只含一个数的张量</translation>
    </message>
    <message>
        <source>, {made} of them the batch's in another order</source>
        <translation>（其中 {made} 个由该批次的词元换序而成）</translation>
    </message>
    <message>
        <source>the loss is {number} before any step</source>
        <translation>损失在任何一步之前就是 {number}</translation>
    </message>
    <message>
        <source>the outputs carry no gradient (no_grad or detach in forward?)</source>
        <translation>输出不带梯度（forward 中有 no_grad 或 detach？）</translation>
    </message>
    <message>
        <source>the loss on the batch's labels</source>
        <translation>该批次标签上的损失</translation>
    </message>
    <message>
        <source>overfitting: loss {value:.3g}</source>
        <translation>过拟合：损失 {value:.3g}</translation>
    </message>
    <message>
        <source>no checkpoint matches; name them, for example 'ckpt_*.pt' in quotes</source>
        <translation>没有匹配的检查点；请指明它们，例如带引号的 'ckpt_*.pt'</translation>
    </message>
    <message>
        <source>no attention was seen in the model's forward</source>
        <translation>在模型的 forward 中没有看到注意力</translation>
    </message>
    <message>
        <source>nothing was recorded into {out_path}: {why}</source>
        <translation>没有向 {out_path} 记录任何内容：{why}</translation>
    </message>
    <message>
        <source>the model raised {kind}: {error}. Its batch has ids up to {largest} in sequences of {length}: are both within what it was built for (vocabulary, longest sequence)?</source>
        <translation>模型抛出 {kind}：{error}。其批次的 id 最大为 {largest}，序列长 {length}：两者都在模型的范围之内吗（词表、最长序列）？</translation>
    </message>
    <message>
        <source>left out: {error}</source>
        <translation>略去：{error}</translation>
    </message>
    <message>
        <source>there is not enough memory for this model and batch</source>
        <translation>内存不足以处理该模型与批次</translation>
    </message>
    <message>
        <source>the archive holds no token ids for this frame: record them, or probe with a batch</source>
        <translation>存档没有该帧的词元 id：请记录它们，或用一个批次来探测</translation>
    </message>
    <message>
        <source>step {step}: recorded and recomputed differ from layer {layer} ({name}) on: head {head} by up to {value:.2g}</source>
        <translation>第 {step} 步：记录值与重算值从第 {layer} 层（{name}）起不同：头 {head} 最多相差 {value:.2g}</translation>
    </message>
    <message>
        <source>step {step}: nothing could be compared ({reason})</source>
        <translation>第 {step} 步：没有可以比较的内容（{reason}）</translation>
    </message>
    <message>
        <source>step {step}: recorded and recomputed agree to {tolerance:g} (largest difference {largest:.1g})</source>
        <translation>第 {step} 步：记录值与重算值一致，误差不超过 {tolerance:g}（最大差 {largest:.1g}）</translation>
    </message>
    <message>
        <source>the frame was recorded in training mode: dropout between the layers, which no replay can repeat, makes deeper layers differ</source>
        <translation>该帧是在训练模式下记录的：层间的 dropout 无法重现，使更深的层出现差异</translation>
    </message>
    <message>
        <source>the archive holds no token ids of the decoder for this frame: probe with a batch</source>
        <translation>存档没有该帧解码器的词元 id：请用一个批次来探测</translation>
    </message>
    <message>
        <source>the model attends {count} times, the archive has {n_layers} layers: it is another model, or part of it was not recorded</source>
        <translation>模型计算 {count} 次注意力，而存档有 {n_layers} 层：这是另一个模型，或有一部分没有记录</translation>
    </message>
    <message>
        <source>the model raised {kind} on the recorded batch: {error}. It has ids up to {largest} in a sequence of {length}: is this the model that was recorded?</source>
        <translation>模型在记录的批次上抛出 {kind}：{error}。其 id 最大为 {largest}，序列长 {length}：这是所记录的那个模型吗？</translation>
    </message>
    <message>
        <source>{path}: cut short: its header alone is longer than the file</source>
        <translation>{path}：被截断：仅其文件头就比文件还长</translation>
    </message>
    <message>
        <source>{path}: its header is not a table of tensors</source>
        <translation>{path}：其文件头不是张量表</translation>
    </message>
    <message>
        <source>{path}: shape and size of the tensor {name!r} contradict each other</source>
        <translation>{path}：张量 {name!r} 的形状与大小矛盾</translation>
    </message>
    <message>
        <source>{path}: cut short: the tensor {name!r} is missing; copy the file again</source>
        <translation>{path}：被截断：缺少张量 {name!r}；请重新复制文件</translation>
    </message>
    <message>
        <source>{path}: its header is damaged ({error}); copy the file again</source>
        <translation>{path}：其文件头已损坏（{error}）；请重新复制文件</translation>
    </message>
    <message>
        <source>{path}: the tensor {name!r} is described in a way we cannot read</source>
        <translation>{path}：张量 {name!r} 的描述方式无法读取</translation>
    </message>
    <message>
        <source>dropout at most 0.5</source>
        <translation>dropout 至多为 0.5</translation>
    </message>
    <message>
        <source>norms: placement and eps</source>
        <translation>归一化层：位置与 eps</translation>
    </message>
    <message>
        <source>optimiser settings</source>
        <translation>优化器设置</translation>
    </message>
    <message>
        <source>{said}; whether it is needed depends on where the norms stand, which is not known</source>
        <translation>{said}；是否需要取决于归一化层的位置，而这不得而知</translation>
    </message>
    <message>
        <source>nothing here states a dropout: no configuration, or none in it</source>
        <translation>这里没有给出 dropout：没有配置，或配置中没有</translation>
    </message>
    <message>
        <source>{key} is {value:g}</source>
        <translation>{key} 为 {value:g}</translation>
    </message>
    <message>
        <source>{wrong}: most of what passes is thrown away</source>
        <translation>{wrong}：通过的内容大部分被丢弃</translation>
    </message>
    <message>
        <source>{key} is {v:g}</source>
        <translation>{key} 为 {v:g}</translation>
    </message>
    <message>
        <source>{wrong}: it must be small and above 0 (1e-12 to 1e-5 are usual)</source>
        <translation>{wrong}：它必须很小且大于 0（通常为 1e-12 至 1e-5）</translation>
    </message>
    <message>
        <source>eps is not stated here</source>
        <translation>这里没有给出 eps</translation>
    </message>
    <message>
        <source>no norm layer was recognised by its name; {stated}</source>
        <translation>没有从名称识别出归一化层；{stated}</translation>
    </message>
    <message>
        <source>{n_norms} norms; whether before or after the attention, neither their names nor a configuration tell; {stated}</source>
        <translation>{n_norms} 个归一化层；位于注意力之前还是之后，名称与配置都没有说明；{stated}</translation>
    </message>
    <message>
        <source>pre-norm ({why}), and no norm after the last layer: its output is never normalised</source>
        <translation>前置归一化（{why}），且最后一层之后没有归一化层：其输出从未归一化</translation>
    </message>
    <message>
        <source>the checkpoint holds no optimiser</source>
        <translation>检查点中没有优化器</translation>
    </message>
    <message>
        <source>{entry} is not finite</source>
        <translation>{entry} 不是有限值</translation>
    </message>
    <message>
        <source>neither a learning rate was recorded nor does the checkpoint hold a schedule</source>
        <translation>既没有记录学习率，检查点中也没有调度</translation>
    </message>
    <message>
        <source>{said}, and the norms stand after the attention: such models need warm-up</source>
        <translation>{said}，且归一化层位于注意力之后：这样的模型需要预热</translation>
    </message>
    <message>
        <source>{rate:.3g} at step {rate_2:g}</source>
        <translation>第 {rate_2:g} 步为 {rate:.3g}</translation>
    </message>
    <message>
        <source>{shown} and {n_items} more</source>
        <translation>{shown}，另有 {n_items} 项</translation>
    </message>
    <message>
        <source>at most {rate:g} ({largest})</source>
        <translation>至多 {rate:g}（{largest}）</translation>
    </message>
    <message>
        <source> for {n_parameters} tensors</source>
        <translation>（{n_parameters} 个张量）</translation>
    </message>
    <message>
        <source>the rate starts at {start:.3g} of itself, for {total} steps</source>
        <translation>学习率从其自身的 {start:.3g} 开始，历时 {total} 步</translation>
    </message>
    <message>
        <source>one cycle: the learning rate rises first</source>
        <translation>单周期：学习率先上升</translation>
    </message>
    <message>
        <source>{said}; pre-norm does without</source>
        <translation>{said}；前置归一化不需要预热</translation>
    </message>
    <message>
        <source>the learning rate rises from {rate:.3g} to {peak}</source>
        <translation>学习率从 {rate:.3g} 升到 {peak}</translation>
    </message>
    <message>
        <source>the learning rate starts at its largest, {peak}</source>
        <translation>学习率从其最大值 {peak} 开始</translation>
    </message>
    <message>
        <source>{key} is {value}</source>
        <translation>{key} 为 {value}</translation>
    </message>
    <message>
        <source>there are no checkpoints to read: name them, or an archive of theirs</source>
        <translation>没有可读取的检查点：请指明它们，或指明列有检查点的存档</translation>
    </message>
    <message>
        <source>needs an earlier checkpoint of this run</source>
        <translation>需要该运行更早的检查点</translation>
    </message>
    <message>
        <source>its configuration</source>
        <translation>其配置</translation>
    </message>
    <message>
        <source>given by hand</source>
        <translation>手工给出</translation>
    </message>
    <message>
        <source>matches the archive</source>
        <translation>与存档相符</translation>
    </message>
    <message>
        <source>{matched} of {total} archive layers and {modules} modules have a partner</source>
        <translation>存档的 {total} 层中有 {matched} 层、{modules} 个模块找到了对应</translation>
    </message>
    <message>
        <source>archive layer {layer}</source>
        <translation>存档的第 {layer} 层</translation>
    </message>
    <message>
        <source>projections train</source>
        <translation>各投影都在训练</translation>
    </message>
    <message>
        <source>all {total} layers have a partner</source>
        <translation>全部 {total} 层都有对应</translation>
    </message>
    <message>
        <source>no attention module was recognised</source>
        <translation>没有识别出注意力模块</translation>
    </message>
    <message>
        <source>between steps {earlier_step} and {step}</source>
        <translation>在第 {earlier_step} 步与第 {step} 步之间</translation>
    </message>
    <message>
        <source>initial scale</source>
        <translation>初始尺度</translation>
    </message>
    <message>
        <source>all {compared} moved {span}</source>
        <translation>全部 {compared} 个都在{span}有变化</translation>
    </message>
    <message>
        <source>std {std:.3g} where xavier gives {xavier:.3g} and kaiming {kaiming:.3g}</source>
        <translation>标准差为 {std:.3g}，而 xavier 为 {xavier:.3g}，kaiming 为 {kaiming:.3g}</translation>
    </message>
    <message>
        <source>query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>no projection stands in both checkpoints</source>
        <translation>没有同时存在于两个检查点中的投影</translation>
    </message>
    <message>
        <source>{frozen} did not change {span}: no gradient reaches it</source>
        <translation>{frozen}{span}没有变化：没有梯度到达</translation>
    </message>
    <message>
        <source>only a checkpoint of step 0 shows the start</source>
        <translation>只有第 0 步的检查点能显示起始状态</translation>
    </message>
    <message>
        <source>no query and key could be told apart</source>
        <translation>无法区分出查询与键</translation>
    </message>
    <message>
        <source>{part} of {path}</source>
        <translation>{path} 的{part}</translation>
    </message>
    <message>
        <source>{part} of {path}: {seen}</source>
        <translation>{path} 的{part}：{seen}</translation>
    </message>
    <message>
        <source>{name} of parameter {key}</source>
        <translation>参数 {key} 的 {name}</translation>
    </message>
    <message>
        <source>replay compares with a recorded frame: name its --archive</source>
        <translation>replay 要与记录的帧比较：请指明其 --archive</translation>
    </message>
    <message>
        <source>{text!r} is no head: write LAYER:HEAD</source>
        <translation>{text!r} 不是头：请写作 LAYER:HEAD</translation>
    </message>
    <message>
        <source>{text!r} is no span: write FIRST:END, the end not included</source>
        <translation>{text!r} 不是区间：请写作 FIRST:END，不含 END</translation>
    </message>
    <message>
        <source>the recorded batch is that of an archive: name its --archive</source>
        <translation>所记录的批次属于某个存档：请指明其 --archive</translation>
    </message>
    <message>
        <source>the outputs are not finite</source>
        <translation>输出不是有限值</translation>
    </message>
    <message>
        <source>{path}: no attention module was recognised in it</source>
        <translation>{path}：其中没有识别出注意力模块</translation>
    </message>
    <message>
        <source>{path}: the weights do not tell how many heads {module} has; give the number of heads</source>
        <translation>{path}：参数权重没有说明 {module} 有多少个头；请给出头数</translation>
    </message>
    <message>
        <source>there are no checkpoints to read</source>
        <translation>没有可读取的检查点</translation>
    </message>
    <message>
        <source>an array of {axes} axes is no attention</source>
        <translation>{axes} 个轴的数组不是注意力</translation>
    </message>
    <message>
        <source>{file} is no .pt, .npy or .npz file</source>
        <translation>{file} 不是 .pt、.npy 或 .npz 文件</translation>
    </message>
    <message>
        <source>an array of shape {shape} may be (layer, head, query, key) or (sample, head, query, key); say which: axes='layer head query key'</source>
        <translation>形状为 {shape} 的数组可能是 (layer, head, query, key)，也可能是 (sample, head, query, key)；请说明是哪一种：axes='layer head query key'</translation>
    </message>
    <message>
        <source>axes={axes!r}: name each axis once, out of {known}</source>
        <translation>axes={axes!r}：每个轴请只写一次，可用的有 {known}</translation>
    </message>
    <message>
        <source>axes={axes!r}: a map has the axes query and key</source>
        <translation>axes={axes!r}：注意力图须有 query 与 key 两个轴</translation>
    </message>
    <message>
        <source>axes={axes!r} names {count} axes; the array has shape {shape}</source>
        <translation>axes={axes!r} 写了 {count} 个轴；而数组的形状为 {shape}</translation>
    </message>
    <message>
        <source>it holds {dtype} values, no numbers</source>
        <translation>其中是 {dtype} 的值，不是数</translation>
    </message>
    <message>
        <source>it holds no array of 2 to 5 axes</source>
        <translation>其中没有 2 至 5 个轴的数组</translation>
    </message>
    <message>
        <source>no rows in it sum to 1: it looks like a checkpoint; attach it to a run instead</source>
        <translation>其中没有和为 1 的行：看起来是检查点；请改为把它附到一个运行上</translation>
    </message>
    <message>
        <source>{maps} maps are no multiple of {heads} heads</source>
        <translation>{maps} 张图不是 {heads} 个头的整数倍</translation>
    </message>
    <message>
        <source>import_dumps: no files were given; pass the dumps, one a step</source>
        <translation>import_dumps：没有给出文件；请传入转储文件，每步一个</translation>
    </message>
    <message>
        <source>{file} is a second file for step {step} with {layer!r}; say which number is the layer and which the step: pattern='attn_l{{layer}}_s{{step}}.pt'</source>
        <translation>{file} 是第 {step} 步带有 {layer!r} 的第二个文件；请说明哪个数是层、哪个数是步：pattern='attn_l{{layer}}_s{{step}}.pt'</translation>
    </message>
    <message>
        <source>import_dumps: {error}</source>
        <translation>import_dumps：{error}</translation>
    </message>
    <message>
        <source>{file} could not be read: {error}</source>
        <translation>无法读取 {file}：{error}</translation>
    </message>
    <message>
        <source>no attention was found in {steps} steps: {reasons}</source>
        <translation>{steps} 步中没有找到注意力：{reasons}</translation>
    </message>
    <message>
        <source>{file} holds no tensors whose rows sum to 1 like attention weights</source>
        <translation>{file} 中没有行和为 1、像注意力权重的张量</translation>
    </message>
    <message>
        <source>{file}: tensors {shape} whose rows sum to 1</source>
        <translation>{file}：行和为 1 的张量 {shape}</translation>
    </message>
    <message>
        <source>{file}: {count} named tensors, the weights of a model</source>
        <translation>{file}：{count} 个具名张量，是模型的参数权重</translation>
    </message>
    <message>
        <source>{file} cannot be read: {error}</source>
        <translation>无法读取 {file}：{error}</translation>
    </message>
    <message>
        <source>the pattern {pattern!r} names no {{step}}</source>
        <translation>模式 {pattern!r} 中没有 {{step}}</translation>
    </message>
    <message>
        <source>{file} does not match the pattern {pattern!r} that was given</source>
        <translation>{file} 与给出的模式 {pattern!r} 不符</translation>
    </message>
    <message>
        <source>{file}: of {numbers} the number {step} was taken for the step; a pattern such as 'attn_l{{layer}}_s{{step}}.pt' says it otherwise</source>
        <translation>{file}：在 {numbers} 中以 {step} 为步；可用 'attn_l{{layer}}_s{{step}}.pt' 这样的模式另行说明</translation>
    </message>
    <message>
        <source>{file}: no number in the name; the files are counted from 0</source>
        <translation>{file}：名称中没有数；文件从 0 开始计数</translation>
    </message>
    <message>
        <source>not the description of a model: {error}</source>
        <translation>不是模型的描述：{error}</translation>
    </message>
    <message>
        <source>not the weights of a checkpoint: {error}</source>
        <translation>不是检查点的参数权重：{error}</translation>
    </message>
    <message>
        <source>not the result of model checks: {error}</source>
        <translation>不是模型检查的结果：{error}</translation>
    </message>
    <message>
        <source>this is a defect of attn-debugger ({kind}: {error}); please send us this sentence and, if you can, the archive</source>
        <translation>这是 attn-debugger 的缺陷（{kind}：{error}）；请把这句话发给我们，若可以，也请附上存档</translation>
    </message>
    <message>
        <source>the file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>token ids of one of the two are not known</source>
        <translation>两者之一的词元 id 未知</translation>
    </message>
    <message>
        <source>the probe is of another input</source>
        <translation>探测用的是另一个输入</translation>
    </message>
    <message>
        <source>the probe has {n} layers and the run {m}, under other names: it is another model, or part of it was not recorded</source>
        <translation>探测有 {n} 层，运行有 {m} 层，且名称不同：这是另一个模型，或有一部分没有记录</translation>
    </message>
    <message>
        <source>layer {layer} has {n} heads in the run and {m} in the probe: it is another model</source>
        <translation>第 {layer} 层在运行中有 {n} 个头，在探测中有 {m} 个：这是另一个模型</translation>
    </message>
    <message>
        <source>, (between the items of a list)</source>
        <translation>、</translation>
    </message>
</context>
</TS>
